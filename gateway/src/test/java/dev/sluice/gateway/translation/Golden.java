package dev.sluice.gateway.translation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** Examples that lie beside the tests, in pairs: what comes and what it becomes. */
final class Golden {
    private Golden() {}

    static String text(String name) {
        try (InputStream in = Golden.class.getResourceAsStream("/translation/" + name)) {
            if (in == null) {
                throw new AssertionError("no example " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static JsonNode json(String name) {
        return Json.read(text(name));
    }
}
