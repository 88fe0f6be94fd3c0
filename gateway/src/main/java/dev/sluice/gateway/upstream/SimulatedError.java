package dev.sluice.gateway.upstream;

import io.vertx.core.buffer.Buffer;

/** Errors of the simulated server, in the shape of the API that was called. */
record SimulatedError(int status, String type, String param, String code, String message) {
    static SimulatedError atCapacity() {
        return new SimulatedError(
                429, "rate_limit_error", "", "rate_limit_exceeded", "The simulated server is at its capacity.");
    }

    static SimulatedError asConfigured() {
        return new SimulatedError(500, "server_error", "", "", "The simulated server failed, as configured.");
    }

    static SimulatedError of(SimulatedRefusal refusal) {
        return new SimulatedError(
                400, "invalid_request_error", refusal.param, "", String.valueOf(refusal.getMessage()));
    }

    static SimulatedError unknownPath() {
        return new SimulatedError(
                404, "invalid_request_error", "", "not_found", "The simulated server has nothing at this path.");
    }

    SimulatedScript script(String path) {
        return SimulatedScript.json(status, 0, Protocol.of(path) == Protocol.ANTHROPIC ? anthropic() : openAi());
    }

    private Buffer openAi() {
        return Buffer.buffer("{\"error\":{\"message\":" + SimulatedWire.quote(message) + ",\"type\":\"" + type
                + "\",\"param\":" + quoteOrNull(param) + ",\"code\":" + quoteOrNull(code) + "}}");
    }

    private Buffer anthropic() {
        String kind = switch (status) {
            case 404 -> "not_found_error";
            case 500 -> "api_error";
            default -> type;
        };
        return Buffer.buffer("{\"type\":\"error\",\"error\":{\"type\":\"" + kind + "\",\"message\":"
                + SimulatedWire.quote(message) + "},\"request_id\":null}");
    }

    private static String quoteOrNull(String text) {
        return text.isEmpty() ? "null" : SimulatedWire.quote(text);
    }
}
