package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The webhooks of a group")
class WebhookReaderTest {
    private static String with(String webhooks) {
        return Example.LEAST + "    webhooks: [" + webhooks + "]\n";
    }

    private static String webhook(String id, String url, String secret) {
        return "{id: \"%s\", url: \"%s\", secret: \"%s\"}".formatted(id, url, secret);
    }

    @Test
    void areReadAndFoundById() {
        Group group = Example.good(with(webhook("a", "https://a/", Example.WEBHOOK_SECRET) + ", "
                        + webhook("b", "http://b:81/x?y", Example.FORMER_WEBHOOK_SECRET)))
                .groups()
                .getFirst();

        assertThat(group.webhook("b"))
                .contains(new Webhook(
                        "b",
                        URI.create("http://b:81/x?y"),
                        new Secret(Example.FORMER_WEBHOOK_SECRET),
                        Optional.empty()));
        assertThat(group.webhook("c")).isEmpty();
        assertThat(group.webhooks().getFirst().keys())
                .singleElement()
                .isEqualTo("01234567890123456789012345678901".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({
        "ftp://a/,must be a URL such as",
        "//a/x,must be a URL such as",
        "http:///x,must be a URL such as",
        "http://a:70000/,must be a URL such as",
        "http://a b/,must be a URL such as",
        "http://u@a/,must not hold a user",
        "http://a/#x,must not hold a user"
    })
    void haveAnHttpUrl(String url, String complaint) {
        assertThat(Example.faults(Example.read(with(webhook("a", url, Example.WEBHOOK_SECRET)))))
                .singleElement()
                .asString()
                .contains("`url` " + complaint);
    }

    @ParameterizedTest
    @CsvSource({
        "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
        "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=",
        "whsec_?",
        "whsec_"
    })
    void haveASecretOfStandardWebhooks(String secret) {
        assertThat(Example.faults(Example.read(with(webhook("a", "http://a/", secret)))))
                .singleElement()
                .asString()
                .contains("`secret` must be `whsec_` and 24 to 64 random bytes in base64");
    }

    @Test
    void haveIdsOfTheirOwn() {
        String one = webhook("a", "http://a/", Example.WEBHOOK_SECRET);

        assertThat(Example.faults(Example.read(with(one + ", " + one))))
                .singleElement()
                .asString()
                .contains("is given to two webhooks of the group");
        assertThat(Example.faults(Example.read(with(one.replace("\"a\"", "\"a b\"")))))
                .singleElement()
                .asString()
                .contains("must be letters, digits");
    }
}
