package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Durations, sizes, amounts, addresses and near words")
class QuantitiesTest {

    @ParameterizedTest(name = "{0} is {1} ms")
    @CsvSource({"0s, 0", "500ms, 500", "60s, 60000", "2m, 120000", "24h, 86400000", "1 s, 1000"})
    void aDurationIsANumberAndAUnit(String text, long millis) {
        assertThat(Durations.parse(text, text)).isEqualTo(new Parsed.Good<>(Duration.ofMillis(millis)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1.5s", "1m30s", "1S", "1 000s", "1d", "9999999999s"})
    void anythingElseIsNoDuration(String text) {
        assertThat(Durations.parse(text, text)).isInstanceOf(Parsed.Bad.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "500ms", "90s", "10m", "24h"})
    void aDurationIsPrintedAsItIsRead(String text) {
        assertThat(Durations.parse(text, text))
                .isInstanceOfSatisfying(
                        Parsed.Good.class,
                        good -> assertThat(Durations.text((Duration) good.value()))
                                .isEqualTo(text));
    }

    @ParameterizedTest(name = "{0} is {1} bytes")
    @CsvSource({"1KiB, 1024", "16MiB, 16777216", "1 GiB, 1073741824", "0KiB, 0"})
    void aSizeIsANumberAndABinaryUnit(String text, long bytes) {
        assertThat(Sizes.parse(text, text)).isEqualTo(new Parsed.Good<>(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "16", "16M", "16MB", "16mib", "-1KiB", "1.5MiB", "1TiB"})
    void anythingElseIsNoSize(String text) {
        assertThat(Sizes.parse(text, text)).isInstanceOf(Parsed.Bad.class);
    }

    @ParameterizedTest(name = "{0} is {1} thousandths")
    @CsvSource({"1, 1000", "1.5, 1500", "0.001, 1", "2.500, 2500", "1000000, 1000000000"})
    void anAmountIsExactInThousandths(String text, long thousandths) {
        assertThat(Numbers.thousandths(text, text)).isEqualTo(new Parsed.Good<>(thousandths));
    }

    @ParameterizedTest(name = "{0} is {1} at {2}, loopback {3}")
    @CsvSource({
        "127.0.0.1:8080, 127.0.0.1, 8080, true",
        "127.8.9.1:0, 127.8.9.1, 0, true",
        "localhost:65535, localhost, 65535, true",
        "[::1]:80, ::1, 80, true",
        "[0:0:0:0:0:0:0:1]:80, 0:0:0:0:0:0:0:1, 80, true",
        "0.0.0.0:80, 0.0.0.0, 80, false",
        "[::]:80, ::, 80, false",
        "gateway.example:80, gateway.example, 80, false",
        "127.0.0.1.example:80, 127.0.0.1.example, 80, false",
        "[fe80::1]:80, fe80::1, 80, false",
        "[1::1]:80, 1::1, 80, false",
    })
    void anAddressIsHostAndPort(String text, String host, int port, boolean loopback) {
        assertThat(ListenAddress.parse(text)).hasValueSatisfying(address -> {
            assertThat(address).isEqualTo(new ListenAddress(host, port)).hasToString(text);
            assertThat(address.isLoopback()).isEqualTo(loopback);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":80", "host", "host:", "host:x", "host:65536", "::1:80", "[::1]", "ho st:1", "a:1:2"})
    void anythingElseIsNoAddress(String text) {
        assertThat(ListenAddress.parse(text)).isEmpty();
    }

    @Test
    void theNearestWordIsTheOneWithFewestEdits() {
        List<String> words = List.of("limit", "queue", "max-wait", "lease-ttl");
        assertThat(Nearest.to("quue", words)).contains("queue");
        assertThat(Nearest.to("qeuue", words)).contains("queue");
        assertThat(Nearest.to("maxWait", words)).contains("max-wait");
        assertThat(Nearest.to("LEASE_TTL", words)).contains("lease-ttl");
        assertThat(Nearest.to("colour", words)).isEmpty();
        assertThat(Nearest.to("q".repeat(100_000), words)).isEmpty();
    }

    @Test
    void aValueOutsideItsRangeIsABugOfWhoeverMadeIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Dispatch(-1, Duration.ZERO))
                .withMessage("max-queue must be between 0 and 10000000, but is -1");
        assertThatIllegalArgumentException().isThrownBy(() -> new Workers(0, 1, Duration.ofHours(1), 1 << 20, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Key("ci", "AB"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Concurrency(0, 0, Duration.ZERO, Duration.ofMinutes(2)));
    }
}
