package dev.sluice.gateway.http;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.gateway.upstream.UpstreamRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a task that nobody waits for: the same {@link Passage} as a client's request takes, its answer kept
 * instead of relayed. On one event loop, but for what is said to be safe elsewhere.
 */
public final class Errand implements Caller {

    /** How an execution ended. The upstream is closed by then; the leases are still held, unless {@link Lost}. */
    public sealed interface Ended {
        /** @param retryable whether the upstream refused in a way that another attempt may not meet */
        record Answered(int status, MultiMap headers, byte[] body, boolean retryable) implements Ended {}

        /** There is no answer. */
        record Failed(Problem problem, boolean retryable) implements Ended {}

        /** It was given up on this side. */
        record Stopped() implements Ended {}

        /** The leases are gone: the task is somebody else's, or will be. */
        record Lost() implements Ended {}
    }

    private final Lane lane;
    private final Assignment assignment;
    private final Passage passage;
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();
    private final Buffer body = Buffer.buffer();
    private int status;
    private MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    private @Nullable Ended end;
    private boolean settled;
    private boolean tooLarge;

    Errand(Lane lane, Assignment assignment) {
        this.lane = lane;
        this.assignment = assignment;
        this.passage = new Passage(lane, this, assignment.ask(), Optional.empty());
    }

    void begin() {
        lane.add(this);
        try {
            passage.resume(assignment.admitted());
        } catch (RuntimeException bug) {
            settled = true;
            conclude(new Ended.Failed(Problems.internal(), true));
            throw bug;
        }
    }

    /** Completes on any thread, once. */
    public CompletionStage<Ended> ended() {
        return ended;
    }

    /** Closes the upstream and ends as {@link Ended.Stopped}; harmless when it has ended. Safe on any thread. */
    public void stop() {
        lane.run(() -> {
            if (end == null) {
                end = new Ended.Stopped();
                passage.leave();
            }
        });
    }

    Passage passage() {
        return passage;
    }

    @Override
    public UpstreamRequest request(Admitted admitted, String servedName) {
        MultiMap passed = HttpHeaders.headers();
        assignment.headers().forEach(passed::add);
        Stamp.on(passed, assignment.ask().task());
        return new UpstreamRequest(
                assignment.api().upstreamPath(), passed, assignment.request().servedAs(servedName));
    }

    @Override
    public boolean untouched() {
        return true;
    }

    @Override
    public void head(int answerStatus, MultiMap answerHeaders) {
        status = answerStatus;
        headers = answerHeaders;
    }

    @Override
    public void chunk(Buffer bytes) {
        body.appendBuffer(bytes);
        if (status == 200) {
            assignment.heard().accept(bytes);
        }
        if (body.length() > assignment.answerBytesMax() && !tooLarge) {
            tooLarge = true;
            passage.abandon(Problem.of(
                            Fault.UPSTREAM_ERROR,
                            "The answer is larger than " + assignment.answerBytesMax()
                                    + " bytes, the most that is kept of a task.")
                    .noRetry());
        }
    }

    @Override
    public void end() {
        conclude(new Ended.Answered(status, headers, body.getBytes(), Tries.mayFollow(status)));
    }

    @Override
    public void refused(Problem problem) {
        if (problem.fault() == Fault.ADMISSION_UNAVAILABLE) {
            // The passage holds nothing any more and will not say so a second time.
            settled = true;
            conclude(new Ended.Lost());
        } else {
            conclude(new Ended.Failed(problem, !tooLarge));
        }
    }

    @Override
    public void stalled() {
        throw new IllegalStateException("nobody has to read the answer of a task");
    }

    /** The leases are kept: they are released together with what becomes of the task. */
    @Override
    public void settle(Admission admission, Admitted owed) {
        settled = true;
        finish();
    }

    private void conclude(Ended how) {
        end = Objects.requireNonNullElse(end, how);
        finish();
    }

    private void finish() {
        Ended how = end;
        if (settled && how != null && !ended.isDone()) {
            lane.remove(this);
            ended.complete(how);
        }
    }
}
