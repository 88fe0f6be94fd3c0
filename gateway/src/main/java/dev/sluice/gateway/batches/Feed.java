package dev.sluice.gateway.batches;

import dev.sluice.admission.AdmissionUnavailableException;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Place;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Turn;
import dev.sluice.gateway.batches.LineReader.Line;
import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Switchboard;
import dev.sluice.gateway.http.Vetting;
import dev.sluice.postgres.RowHook;
import dev.sluice.postgres.batches.FedLine;
import dev.sluice.postgres.batches.Lot;
import dev.sluice.postgres.batches.NotFedException;
import dev.sluice.postgres.batches.StoredBatch;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Turns lines of one batch into tasks, in their order, as far as there is room for them in the queues. A line is a task
 * from the transaction that queues it, so however often this is cut short each line is fed once.
 */
final class Feed {
    /** Lines in memory that are on their way into the queue. */
    private static final int BYTES_AT_ONCE = 4 << 20;

    private static final int LARGE_BYTES = 64 << 10;
    private static final String HEADERS = "{\"content-type\":\"application/json\"}";

    /** How feeding went. */
    enum Fed {
        /** As many as were wanted, or all. */
        ENOUGH,
        /** There is no room now. */
        NO_ROOM,
        /** The database is away. */
        AWAY,
        /** The batch is somebody else's, or in another state. */
        NOT_OURS
    }

    private record Held(Line line, String customId, byte[] body) {}

    private record Sent(Held held, Turn turn) {}

    private final Workshop shop;
    private final StoredBatch batch;
    private final Api api;
    private final LineReader reader;
    private final BitSet fedBefore;
    private final Deque<Held> held = new ArrayDeque<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<UUID> inherited;
    private final Thread feeder = Thread.currentThread();
    private Optional<Line> last = Optional.empty();
    private boolean ended;
    private int fed;
    private int safeLine;
    private long safeBytes;

    /** Goes on where the last one who fed the batch was cut short. */
    Feed(Workshop shop, Lot lot, Api api) throws SQLException {
        this.shop = shop;
        this.batch = lot.batch();
        this.api = api;
        this.safeLine = lot.fedLine();
        this.safeBytes = lot.fedBytes();
        this.reader = new LineReader(shop.files(), batch.input(), Long.MAX_VALUE, safeLine, safeBytes);
        this.fedBefore = shop.lines().fedAfter(batch.id(), safeLine);
        this.fed = shop.lines().fedUpTo(batch.id(), safeLine) + fedBefore.cardinality();
        this.inherited = new ArrayList<>(shop.lines().waiting(batch.id()));
    }

    /** Lines of this batch that wait in the ledger. */
    int waiting() {
        inherited.removeIf(
                task -> shop.admission().place(task).filter(Place::waits).isEmpty());
        return waiting.get() + inherited.size();
    }

    /** Whether all lines are tasks now. */
    boolean isDone() {
        return ended && held.isEmpty();
    }

    /** Lines that were fed, by whomever. */
    int fed() {
        return fed;
    }

    /** All lines up to this one were fed. */
    int safeLine() {
        return safeLine;
    }

    /** Where the line after {@link #safeLine} begins. */
    long safeBytes() {
        return safeBytes;
    }

    /** Feeds up to so many lines. */
    Fed feed(int most) throws SQLException {
        Room room = new Room(shop.admission().snapshot());
        List<Sent> sent = new ArrayList<>();
        long bytes = 0;
        Fed result = Fed.ENOUGH;
        while (result == Fed.ENOUGH && sent.size() < most && bytes < BYTES_AT_ONCE) {
            Optional<Held> next = next();
            if (next.isEmpty()) {
                break;
            }
            bytes += next.get().body().length;
            result = send(next.get(), room, sent);
        }
        result = settled(sent, result);
        if (held.isEmpty() && last.isPresent()) {
            safeLine = last.get().number();
            safeBytes = last.get().next();
        }
        return result;
    }

    private Optional<Held> next() throws SQLException {
        Held first = held.pollFirst();
        if (first != null) {
            return Optional.of(first);
        }
        while (!ended) {
            Optional<Line> line = reader.next();
            if (line.isEmpty()) {
                ended = true;
            } else {
                last = line;
                // It was good when the whole input was checked.
                if (!fedBefore.get(line.get().number())
                        && BatchLine.read(line.get(), batch.endpoint(), Long.MAX_VALUE)
                                instanceof BatchLine.Request request) {
                    return Optional.of(new Held(line.get(), request.customId(), request.body()));
                }
            }
        }
        return Optional.empty();
    }

    /** The configuration may be another one than when the input was checked. */
    private Fed send(Held line, Room room, List<Sent> sent) throws SQLException {
        Switchboard switchboard = shop.shared().switchboard();
        switch (Vetting.of(switchboard, batch.owner(), api, line.body())) {
            case Vetting.Refused refused -> {
                return failed(line, refused.problem());
            }
            case Vetting.Good good -> {
                if (!room.take(good)) {
                    held.addFirst(line);
                    return Fed.NO_ROOM;
                }
                UUID id = shop.shared().nextTask();
                Optional<Ask> ask = Vetting.ask(switchboard, batch.owner(), good, id, batch.priority());
                if (ask.isEmpty()) {
                    held.addFirst(line);
                    return Fed.NO_ROOM;
                }
                FedLine fedLine =
                        fed(line, id, good.request().body(), good.request().model(), good.isLong());
                sent.add(new Sent(line, submit(ask.get(), fedLine)));
                return Fed.ENOUGH;
            }
        }
    }

    private FedLine fed(Held line, UUID id, byte[] body, String model, boolean isLong) {
        var task = new NewTask(
                id, batch.owner(), model, api.path(), batch.priority(), isLong, body, HEADERS, Optional.empty());
        return new FedLine(task, batch.id(), line.line().number(), line.customId());
    }

    private Turn submit(Ask ask, FedLine line) {
        RowHook<FedLine> feeding = shop.lines().feeding(line);
        waiting.incrementAndGet();
        // A large body is written in a batch of its own, so that others do not wait for it longer than need be.
        Turn turn = shop.admission().submit(ask, line.task().request().length > LARGE_BYTES ? feeding::run : feeding);
        turn.outcome().whenComplete((outcome, failure) -> {
            waiting.decrementAndGet();
            LockSupport.unpark(feeder);
        });
        return turn;
    }

    /** A line that can never run has its result at once. */
    private Fed failed(Held line, Problem problem) throws SQLException {
        var failure = new Failure(problem.fault().type(), problem.fault().code(), problem.message());
        UUID id = shop.shared().nextTask();
        if (!shop.lines().insertFailed(fed(line, id, line.body(), "", false), failure)) {
            held.addFirst(line);
            return Fed.NOT_OURS;
        }
        fed++;
        return Fed.ENOUGH;
    }

    /** Those that found no place come again, in their order. */
    private Fed settled(List<Sent> sent, Fed before) throws SQLException {
        Fed result = before;
        for (int i = sent.size() - 1; i >= 0; i--) {
            Fed one = settled(sent.get(i));
            result = one == Fed.ENOUGH ? result : one;
        }
        return result;
    }

    private Fed settled(Sent sent) throws SQLException {
        try {
            if (!(sent.turn().decision().toCompletableFuture().join() instanceof Rejected rejected)) {
                fed++;
                return Fed.ENOUGH;
            }
            return switch (rejected.refusal().reason()) {
                case AMOUNT_UNSATISFIABLE ->
                    failed(
                            sent.held(),
                            Problem.of(
                                    Fault.AMOUNT_UNSATISFIABLE, "A limit was lowered below what the request takes."));
                case QUEUE_FULL,
                        CONCURRENCY_LIMIT_EXCEEDED,
                        NO_CAPACITY,
                        UNKNOWN_ROUTE,
                        IN_PROGRESS,
                        FINISHED,
                        SHUTTING_DOWN -> {
                    held.addFirst(sent.held());
                    yield Fed.NO_ROOM;
                }
            };
        } catch (CompletionException e) {
            if (e.getCause() instanceof NotFedException not && not.wasFedBefore()) {
                fed++;
                return Fed.ENOUGH;
            }
            held.addFirst(sent.held());
            if (e.getCause() instanceof NotFedException) {
                return Fed.NOT_OURS;
            }
            if (e.getCause() instanceof AdmissionUnavailableException || e.getCause() instanceof SQLException) {
                return Fed.AWAY;
            }
            throw e;
        }
    }
}
