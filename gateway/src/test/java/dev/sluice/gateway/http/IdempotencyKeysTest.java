package dev.sluice.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.IdempotencyKeys.Claim;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class IdempotencyKeysTest {
    private final AtomicLong now = new AtomicLong();
    private final IdempotencyKeys keys = new IdempotencyKeys(now::get);

    private Claim claim(int key, int body) {
        return claim(keys, key, body);
    }

    private static Claim claim(IdempotencyKeys keys, int key, int body) {
        return keys.claim(Keyring.sha256(), new byte[] {(byte) key}, new byte[] {(byte) body});
    }

    private Claim.Task task(int key, int body) {
        return (Claim.Task) claim(key, body);
    }

    @Test
    void theSameKeyAndBodyAreTheSameTask() {
        assertThat(claim(1, 1)).isEqualTo(claim(1, 1));
        assertThat(task(2, 1).task()).isNotEqualTo(task(1, 1).task());
    }

    @Test
    void allGatewaysMeanTheSameTaskUntilItSucceeded() {
        IdempotencyKeys elsewhere = new IdempotencyKeys(now::get);
        Claim.Task first = task(1, 1);

        assertThat(claim(elsewhere, 1, 1)).isEqualTo(first);
        keys.succeeded(first.entry().orElseThrow(), first.task());
        assertThat(task(1, 1).task()).isNotEqualTo(first.task());
        assertThat(first.task().version()).isEqualTo(8);
        assertThat(first.task().variant()).isEqualTo(2);
    }

    @Test
    void anotherBodyIsAMismatchAlsoAfterASuccess() {
        Claim.Task first = task(1, 1);

        assertThat(claim(1, 2)).isEqualTo(new Claim.Mismatch());
        keys.succeeded(first.entry().orElseThrow(), first.task());
        assertThat(claim(1, 2)).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void aForgottenKeyIsFreeAndALateForgetTouchesNoOtherTask() {
        Claim.Task first = task(1, 1);
        keys.forget(first.entry().orElseThrow(), first.task());
        Claim.Task second = task(1, 2);

        keys.forget(first.entry().orElseThrow(), first.task());

        assertThat(task(1, 2)).isEqualTo(second);
    }

    @Test
    void aKeyIsKeptFor24Hours() {
        Claim.Task first = task(1, 1);

        now.set(IdempotencyKeys.LIFETIME_NANOS - 1);
        assertThat(task(1, 1)).isEqualTo(first);
        now.set(IdempotencyKeys.LIFETIME_NANOS);
        assertThat(task(1, 2).task()).isNotEqualTo(first.task());
    }
}
