package dev.sluice.gateway.files;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.ResourceCall;
import java.util.Optional;
import java.util.UUID;

/** Which part of a list is asked for. */
public sealed interface Paging {
    /** @param after those that follow this one; empty for the first ones */
    record Page(int limit, Optional<UUID> after, boolean ascending) implements Paging {}

    record Wrong(Problem problem) implements Paging {}

    /** Reads {@code limit}, {@code after} and {@code order}. */
    static Paging of(ResourceCall call, FileIds ids, int byDefault, int most) {
        String limit = call.query("limit").orElse(Integer.toString(byDefault));
        Optional<String> after = call.query("after");
        String order = call.query("order").orElse("desc");
        if (!limit.matches("[0-9]{1,6}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > most) {
            return wrong("limit", "'limit' must be a whole number from 1 to " + most + ".");
        }
        if (!order.equals("asc") && !order.equals("desc")) {
            return wrong("order", "'order' must be asc or desc.");
        }
        if (after.isPresent() && ids.id(after.get()).isEmpty()) {
            return new Wrong(unknownAfter());
        }
        return new Page(Integer.parseInt(limit), after.flatMap(ids::id), order.equals("asc"));
    }

    /** Without the item that a page is to follow, an empty page would look like the end of the list. */
    static Problem unknownAfter() {
        return Problem.of(Fault.INVALID_REQUEST, "'after' must be the id of the last item that was listed before.")
                .at("after");
    }

    private static Wrong wrong(String field, String message) {
        return new Wrong(Problem.of(Fault.INVALID_REQUEST, message).at(field));
    }
}
