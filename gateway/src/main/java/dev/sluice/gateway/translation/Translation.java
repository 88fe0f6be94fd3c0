package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A request in the words of the other API, and the way back for its answer.
 *
 * @param path below the base URL of a provider that speaks the other API
 * @param answer for one answer
 * @param setAside names of hints that have no counterpart, comma-separated; empty if there are none
 */
public record Translation(String path, Buffer body, AnswerTranslation answer, String setAside) {
    private static final String CHAT = "/chat/completions";
    private static final String MESSAGES = "/messages";

    /**
     * Pure; takes as long as reading and writing the body.
     *
     * @param path of the request's own API, below a base URL
     * @param created seconds since 1970, where the answer needs a date
     */
    public static Translation of(String path, byte[] body, long created) throws Untranslatable {
        JsonNode root = read(body);
        return switch (path) {
            case CHAT -> {
                boolean usage =
                        root.path("stream_options").path("include_usage").asBoolean(false);
                Buffer translated = Buffer.buffer(Json.bytes(ChatToMessages.request(root)));
                yield new Translation(MESSAGES, translated, new MessagesAnswer(created, usage), "");
            }
            case MESSAGES -> {
                var notes = new Notes();
                Buffer translated = Buffer.buffer(Json.bytes(MessagesToChat.request(root, notes)));
                yield new Translation(CHAT, translated, new ChatAnswer(), notes.text());
            }
            default -> throw noCounterpart(path);
        };
    }

    /** Why a request cannot be translated, if it can not. */
    public static Optional<Untranslatable> refusal(String path, byte[] body) {
        try {
            of(path, body, 0);
            return Optional.empty();
        } catch (Untranslatable refusal) {
            return Optional.of(refusal);
        }
    }

    /** An error of status 400 in the shape of the request's own API. */
    public static Buffer refused(String path, Untranslatable refusal) {
        var error = Json.object().put("message", refusal.reason()).put("type", "invalid_request_error");
        return path.startsWith(MESSAGES)
                ? Buffer.buffer(Json.bytes(Json.typed("error").set("error", error)))
                : Buffer.buffer(Json.bytes(Json.object()
                        .set("error", error.put("param", refusal.param()).put("code", "invalid_request"))));
    }

    private static JsonNode read(byte[] body) throws Untranslatable {
        try {
            return Json.read(body);
        } catch (JacksonException e) {
            throw new Untranslatable("", "The body cannot be read as JSON.", e);
        }
    }

    private static Untranslatable noCounterpart(String path) {
        return new Untranslatable(
                "model",
                "The providers of this model speak an API without a counterpart of '" + path
                        + "'. Ask a model whose providers speak the API of this request.");
    }
}
