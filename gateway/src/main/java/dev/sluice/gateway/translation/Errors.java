package dev.sluice.gateway.translation;

import io.vertx.core.buffer.Buffer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** An upstream's error in the shape of the other API: the same message, and the type of its status. */
final class Errors {
    private Errors() {}

    static Buffer toChat(int status, Buffer body) {
        JsonNode error = error(body);
        String type = Json.text(error.path("type"));
        ObjectNode out =
                Json.object().put("message", message(status, error)).put("type", type.isEmpty() ? "api_error" : type);
        out.set("param", out.nullNode());
        out.set("code", out.nullNode());
        return Buffer.buffer(Json.bytes(Json.object().set("error", out)));
    }

    static Buffer toMessages(int status, Buffer body) {
        JsonNode error = error(body);
        String param = Json.text(error.path("param"));
        String message = message(status, error);
        ObjectNode out = Json.typed(type(status))
                .put("message", param.isEmpty() || message.contains(param) ? message : param + ": " + message);
        ObjectNode envelope = Json.typed("error").set("error", out);
        return Buffer.buffer(Json.bytes(envelope.set("request_id", envelope.nullNode())));
    }

    /** An error that came within a stream. */
    static BrokenAnswer reported(JsonNode error) {
        String type = Json.text(error.path("type"));
        return new BrokenAnswer(
                "it reported " + (type.isEmpty() ? "an error" : type) + ": " + Json.text(error.path("message")));
    }

    private static JsonNode error(Buffer body) {
        try {
            return Json.read(body.getBytes()).path("error");
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    private static String message(int status, JsonNode error) {
        String message = error.isString() ? error.stringValue() : Json.text(error.path("message"));
        return message.isEmpty() ? "The upstream answered with status " + status + "." : message;
    }

    private static String type(int status) {
        return switch (status) {
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 409 -> "conflict_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 408, 504 -> "timeout_error";
            case 529 -> "overloaded_error";
            default -> status < 500 ? "invalid_request_error" : "api_error";
        };
    }
}
