package dev.sluice.postgres.responses;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A response to be kept.
 *
 * @param owner the group it belongs to
 * @param id what its owner calls it
 * @param task that makes it; empty if it is finished
 * @param streamed whether its events are kept, too
 * @param body the response object, JSON
 * @param input the items that it is an answer to, a JSON array
 * @param items ids of the items in the answer, if there is one already
 */
public record NewResponse(
        String owner, String id, Optional<UUID> task, boolean streamed, byte[] body, byte[] input, List<String> items) {
    private static final int ID_LENGTH_MAX = 512;

    public NewResponse {
        items = List.copyOf(items);
        if (id.isEmpty() || id.length() > ID_LENGTH_MAX || id.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("no id of a response");
        }
    }
}
