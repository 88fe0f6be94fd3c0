package dev.sluice.gateway.batches;

import dev.sluice.gateway.batches.LineReader.Line;
import dev.sluice.postgres.batches.EndedLine;
import dev.sluice.postgres.batches.LineStore;
import dev.sluice.postgres.batches.StoredBatch;
import dev.sluice.postgres.batches.StoredBatch.Counts;
import dev.sluice.postgres.batches.StoredBatch.State;
import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.tasks.StoredTask;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes the results of a batch into its files, in the order of its lines; holds one page of them. */
final class Assembly {
    private final LineStore lines;
    private final Supplier<UUID> ids;
    private final StoredBatch batch;
    private final boolean isCancelled;
    private final ResultFile output;
    private final ResultFile errors;
    private final Deque<EndedLine> page = new ArrayDeque<>();
    private int last;
    private int completed;
    private int failed;
    private boolean someUnfinished;

    /**
     * What was written.
     *
     * @param output null if no line succeeded
     * @param errors null if all did
     */
    record Result(
            State state, @Nullable UUID output, @Nullable UUID errors, Counts counts) {}

    Assembly(FileStore files, LineStore lines, Supplier<UUID> ids, StoredBatch batch, boolean isCancelled) {
        this.lines = lines;
        this.ids = ids;
        this.batch = batch;
        this.isCancelled = isCancelled;
        String name = "batch_" + batch.id().toString().replace("-", "");
        this.output = new ResultFile(files, ids.get(), batch.owner(), name + "_output.jsonl");
        this.errors = new ResultFile(files, ids.get(), batch.owner(), name + "_error.jsonl");
    }

    /**
     * @param input read only if there are lines that never were fed, to name them
     * @return empty if it was told to stop
     */
    Optional<Result> run(Optional<LineReader> input, BooleanSupplier stop) throws SQLException {
        for (Optional<EndedLine> line = next(); line.isPresent(); line = next()) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            if (input.isPresent()) {
                unfed(input.get(), line.get().line());
            }
            write(line.get());
            page.removeFirst();
        }
        if (input.isPresent()) {
            unfed(input.get(), Integer.MAX_VALUE);
        }
        State state = isCancelled ? State.CANCELLED : someUnfinished ? State.EXPIRED : State.COMPLETED;
        return Optional.of(
                new Result(state, output.end(), errors.end(), new Counts(completed + failed, completed, failed)));
    }

    private Optional<EndedLine> next() throws SQLException {
        if (page.isEmpty()) {
            page.addAll(lines.ended(batch.id(), last));
        }
        EndedLine first = page.peekFirst();
        if (first == null) {
            return Optional.empty();
        }
        last = first.line();
        return Optional.of(first);
    }

    private void write(EndedLine line) throws SQLException {
        boolean succeeded = line.state() == StoredTask.State.SUCCEEDED;
        someUnfinished |= ResultLine.isUnfinished(line);
        completed += succeeded ? 1 : 0;
        failed += succeeded ? 0 : 1;
        (succeeded ? output : errors).add(ResultLine.of(line, isCancelled));
    }

    /** Names the lines before {@code number} that never became tasks. */
    private void unfed(LineReader input, int number) throws SQLException {
        for (Optional<Line> line = input.next(); line.isPresent(); line = input.next()) {
            if (line.get().number() == number) {
                return;
            }
            someUnfinished = true;
            failed++;
            if (BatchLine.read(line.get(), batch.endpoint(), Long.MAX_VALUE) instanceof BatchLine.Request request) {
                errors.add(ResultLine.unfinished(ids.get(), request.customId(), isCancelled));
            }
        }
    }
}
