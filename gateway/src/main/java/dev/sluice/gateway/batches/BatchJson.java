package dev.sluice.gateway.batches;

import dev.sluice.gateway.files.FileIds;
import dev.sluice.gateway.files.Page;
import dev.sluice.postgres.batches.StoredBatch;
import dev.sluice.postgres.batches.StoredBatch.State;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Batches as their clients see them. */
final class BatchJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private BatchJson() {}

    static Buffer of(StoredBatch batch) {
        return Buffer.buffer(JSON.writeValueAsBytes(node(batch)));
    }

    static Buffer list(List<StoredBatch> batches, int limit) {
        return Page.of(batches, limit, BatchJson::node);
    }

    private static ObjectNode node(StoredBatch batch) {
        ObjectNode node = NODES.objectNode()
                .put("id", FileIds.BATCH.text(batch.id()))
                .put("object", "batch")
                .put("endpoint", batch.endpoint());
        json(node, "errors", batch.errors());
        node.put("input_file_id", FileIds.FILE.text(batch.input()))
                .put("completion_window", batch.window())
                .put("status", batch.state().name().toLowerCase(Locale.ROOT));
        file(node, "output_file_id", batch.output());
        file(node, "error_file_id", batch.errorFile());
        StoredBatch.Times times = batch.times();
        time(node, "created_at", Optional.of(times.created()));
        time(node, "in_progress_at", times.started());
        time(node, "expires_at", Optional.of(times.deadline()));
        time(node, "finalizing_at", times.finalizing());
        time(node, "completed_at", ended(batch, State.COMPLETED));
        time(node, "failed_at", ended(batch, State.FAILED));
        time(node, "expired_at", ended(batch, State.EXPIRED));
        time(node, "cancelling_at", times.cancelling());
        time(node, "cancelled_at", ended(batch, State.CANCELLED));
        node.set(
                "request_counts",
                NODES.objectNode()
                        .put("total", batch.counts().total())
                        .put("completed", batch.counts().completed())
                        .put("failed", batch.counts().failed()));
        json(node, "metadata", batch.metadata());
        return node;
    }

    private static Optional<Instant> ended(StoredBatch batch, State as) {
        return batch.state() == as ? batch.times().finished() : Optional.empty();
    }

    private static void time(ObjectNode node, String name, Optional<Instant> at) {
        at.ifPresentOrElse(time -> node.put(name, time.getEpochSecond()), () -> node.putNull(name));
    }

    private static void file(ObjectNode node, String name, Optional<UUID> file) {
        node.put(name, file.map(FileIds.FILE::text).orElse(null));
    }

    private static void json(ObjectNode node, String name, Optional<String> text) {
        node.set(name, text.isPresent() ? JSON.readTree(text.get()) : NODES.nullNode());
    }
}
