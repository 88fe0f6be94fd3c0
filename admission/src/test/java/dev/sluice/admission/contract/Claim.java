package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Held;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Refusal;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Turn;
import dev.sluice.admission.WaitReason;
import dev.sluice.admission.Waiting;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One ask and its answers, with the assertions a test makes about them. */
record Claim(Ask ask, Turn turn, Admission admission, AdmissionFixture fixture) {
    UUID task() {
        return ask.task();
    }

    String waiter() {
        return switch (ask.mode()) {
            case Mode.Sync sync -> sync.waiter();
            case Mode.Async async -> throw new AssertionError("nobody waits for " + ask);
        };
    }

    /** The task was admitted, at once or by now. */
    Admitted admitted() {
        Outcome outcome = answer(turn.outcome(), "outcome");
        assertThat(outcome).as("outcome of %s", ask).isInstanceOf(Admitted.class);
        Admitted admitted = (Admitted) outcome;
        assertThat(admitted.task()).isEqualTo(task());
        return admitted;
    }

    Claim isAdmitted() {
        admitted();
        return this;
    }

    String provider() {
        return admitted().placement().orElseThrow().provider();
    }

    /** The task was queued and has not left the queue. */
    Claim waits() {
        assertThat(answer(turn.decision(), "decision"))
                .as("decision on %s", ask)
                .isInstanceOf(Waiting.class);
        return isPending();
    }

    Claim isPending() {
        fixture.settle();
        assertThat(turn.outcome().toCompletableFuture())
                .as("outcome of %s", ask)
                .isNotDone();
        return this;
    }

    /** The task waits, for this reason now. */
    Claim waits(WaitReason.Kind kind) {
        waits();
        assertThat(view().reason())
                .as("reason of %s", ask)
                .map(WaitReason::kind)
                .hasValue(kind);
        return this;
    }

    Refusal refused(Refusal.Reason reason) {
        Decision decision = answer(turn.decision(), "decision");
        assertThat(decision).as("decision on %s", ask).isInstanceOf(Rejected.class);
        assertThat(answer(turn.outcome(), "outcome")).isEqualTo(decision);
        Refusal refusal = ((Rejected) decision).refusal();
        assertThat(refusal.reason()).as("reason of %s", refusal).isEqualTo(reason);
        return refusal;
    }

    Evicted evicted(Eviction reason) {
        Outcome outcome = answer(turn.outcome(), "outcome");
        assertThat(outcome).as("outcome of %s", ask).isInstanceOf(Evicted.class);
        Evicted evicted = (Evicted) outcome;
        assertThat(evicted.reason()).isEqualTo(reason);
        assertThat(evicted.task()).isEqualTo(task());
        return evicted;
    }

    Held held() {
        return new Held(task(), admitted().epoch());
    }

    boolean tryRelease() {
        return answer(admission.release(task(), admitted().epoch()), "release");
    }

    Claim release() {
        assertThat(tryRelease()).as("release of %s", ask).isTrue();
        return this;
    }

    boolean renew() {
        return answer(admission.renew(task(), admitted().epoch()), "renewal");
    }

    TaskView view() {
        return admission
                .explain(task())
                .orElseThrow(() -> new AssertionError("unknown: " + ask))
                .task();
    }

    Duration deadlineIn() {
        return view().deadlineIn().orElseThrow(() -> new AssertionError("no deadline: " + ask));
    }

    boolean isUnknown() {
        return admission.explain(task()).isEmpty();
    }

    private <T> T answer(CompletionStage<T> stage, String what) {
        return await(stage, fixture, what + " of " + ask);
    }

    static <T> T await(CompletionStage<T> stage, AdmissionFixture fixture, String what) {
        try {
            return stage.toCompletableFuture().get(fixture.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return fail("no " + what);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + what, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
