package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * A checked request body.
 *
 * @param model the public name asked for
 * @param modelFrom index of the opening quote of the value of {@code model}
 * @param modelTo index after its closing quote
 * @param body as the client sent it
 */
public record InferenceRequest(String model, boolean stream, int modelFrom, int modelTo, byte[] body)
        implements Reading {
    public InferenceRequest {
        if (modelFrom < 0 || modelTo <= modelFrom || modelTo > body.length) {
            throw new IllegalArgumentException("the model is not within the body");
        }
    }

    /** The body with {@code name}, already quoted and escaped, in the model's place; every other byte is the client's. */
    Buffer servedAs(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int tail = body.length - modelTo;
        byte[] spliced = new byte[modelFrom + bytes.length + tail];
        System.arraycopy(body, 0, spliced, 0, modelFrom);
        System.arraycopy(bytes, 0, spliced, modelFrom, bytes.length);
        System.arraycopy(body, modelTo, spliced, modelFrom + bytes.length, tail);
        return Buffer.buffer(spliced);
    }
}
