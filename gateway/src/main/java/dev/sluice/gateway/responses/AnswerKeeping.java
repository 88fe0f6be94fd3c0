package dev.sluice.gateway.responses;

import dev.sluice.postgres.responses.NewResponse;
import dev.sluice.postgres.responses.ResponseStore;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Where the answer to one request is kept. */
final class AnswerKeeping {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerKeeping.class);

    private final ResponseStore store;
    private final String group;
    private final Optional<String> previous;
    private final byte[] input;

    AnswerKeeping(ResponseStore store, String group, Optional<String> previous, byte[] input) {
        this.store = store;
        this.group = group;
        this.previous = previous;
        this.input = input;
    }

    int inputBytes() {
        return input.length;
    }

    /**
     * Keeps a response object, or nothing if it is none that can be found again.
     *
     * @param event whether {@code json} holds it as its {@code response}
     */
    CompletionStage<Void> keep(byte[] json, boolean event) {
        return Blocking.<Void>call(() -> {
                    Json.object(json)
                            .flatMap(root -> !event
                                    ? Optional.of(root)
                                    : root.path("response") instanceof ObjectNode response
                                            ? Optional.of(response)
                                            : Optional.empty())
                            .filter(object -> object.path("id").isString())
                            .ifPresent(this::write);
                    return null;
                })
                .exceptionally(failure -> null);
    }

    private void write(ObjectNode object) {
        object.put("store", true).put("previous_response_id", previous.orElse(null));
        try {
            store.keep(new NewResponse(
                    group,
                    object.path("id").asString(),
                    Optional.empty(),
                    false,
                    Json.bytes(object),
                    input,
                    References.ids(object)));
        } catch (SQLException | IllegalArgumentException e) {
            // The client has its answer; only a later look for it will say that it is not there.
            LOG.warn("an answer could not be kept: {}", e.toString());
        }
    }
}
