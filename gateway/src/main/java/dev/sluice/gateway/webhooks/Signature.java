package dev.sluice.gateway.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of Standard Webhooks 1.0: HMAC-SHA256 over id, time and body. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /**
     * The value of {@code webhook-signature}.
     *
     * @param keys one signature each, so that a receiver may know any of them
     * @param seconds since 1970, as in {@code webhook-timestamp}
     */
    static String of(List<byte[]> keys, String id, long seconds, String body) {
        byte[] signed = (id + '.' + seconds + '.' + body).getBytes(StandardCharsets.UTF_8);
        return keys.stream().map(key -> "v1," + sign(key, signed)).collect(Collectors.joining(" "));
    }

    private static String sign(byte[] key, byte[] signed) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
