package dev.sluice.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What can happen to a good request while it waits or runs, as the users of a client of either API see it. */
interface Incidents {
    String KEY = "idempotency-key";

    CompatGateway gateway();

    /** One request through a new client that speaks to the gateway at this port. */
    Result ask(Ask ask, int port);

    /** @param status with type and code, a row of the error table of docs/api.md */
    Failed refused(int status, String type, String code);

    private CompletableFuture<Result> start(Ask ask, int port) {
        return CompletableFuture.supplyAsync(
                        () -> ask(ask, port),
                        task -> Thread.ofVirtual().name("client").start(task))
                .orTimeout(30, SECONDS);
    }

    @Test
    default void whoAsksAgainElsewhereTakesItsOwnPlaceOver() {
        Ask ask = Ask.of(Group.NARROW.key(), "chat").header(KEY, "taken-over");
        CompletableFuture<Result> again;
        try (Holders holders = gateway().hold(Group.NARROW, 1, 0)) {
            CompletableFuture<Result> first = start(ask, gateway().port());
            gateway().await(Group.NARROW, 1, 1);
            again = start(ask, gateway().port());

            assertThat(first.join()).as("behind " + holders).isEqualTo(refused(409, "conflict_error", "superseded"));
            gateway().await(Group.NARROW, 1, 1);
        }
        assertThat(again.join()).isInstanceOf(Answered.class);
    }

    @Test
    default void whoGivesUpLeavesItsSlot() {
        CompletableFuture<Result> impatient = start(
                Ask.of(Group.UNQUEUED.key(), "hold").patience(Duration.ofSeconds(2)),
                gateway().port());
        gateway().await(Group.UNQUEUED, 1, 0);

        assertThat(impatient.join())
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> assertThat(failed.status())
                                .as("of an exception of the client's own")
                                .isZero());
        gateway().await(Group.UNQUEUED, 0, 0);
    }

    @Test
    default void aKeyWhoseRequestRunsIsRefused() throws IOException {
        Ask ask = Ask.of(Group.UNQUEUED.key(), "hold").header(KEY, "runs");
        try (Tap tap = Tap.before(gateway().port())) {
            CompletableFuture<Result> first = start(ask, tap.port());
            gateway().await(Group.UNQUEUED, 1, 0);

            assertThat(ask(ask, gateway().port())).isEqualTo(refused(409, "conflict_error", "idempotency_in_progress"));
            tap.cut();
            assertThat(first.handle((result, failure) -> failure != null || result instanceof Failed))
                    .as("the one that was cut off fails")
                    .succeedsWithin(30, SECONDS)
                    .isEqualTo(true);
        }
    }

    @Test
    default void aKeyOfAnotherBodyIsRefused() {
        Ask ask = Ask.of(Group.NARROW.key(), "chat").header(KEY, "another-body");
        CompletableFuture<Result> first;
        try (Holders holders = gateway().hold(Group.NARROW, 1, 0)) {
            first = start(ask, gateway().port());
            gateway().await(Group.NARROW, 1, 1);

            assertThat(ask(ask.prompt("Another question."), gateway().port()))
                    .as("behind " + holders)
                    .isEqualTo(refused(422, "conflict_error", "idempotency_mismatch"));
        }
        assertThat(first.join()).isInstanceOf(Answered.class);
    }

    @Test
    default void aRequestThatAnOperatorRemovesIsToldSo() {
        try (Holders holders = gateway().hold(Group.NARROW, 1, 0)) {
            CompletableFuture<Result> waiting =
                    start(Ask.of(Group.NARROW.key(), "chat"), gateway().port());
            gateway().await(Group.NARROW, 1, 1);
            gateway().evictWaiting();

            assertThat(waiting.join())
                    .as("behind " + holders)
                    .isEqualTo(refused(503, "service_unavailable_error", "evicted"));
        }
    }

    @Test
    default void aRequestThatWaitsWhenTheGatewayStopsIsToldSo() throws IOException {
        CompatGateway stopping = CompatGateway.start();
        Holders holders = stopping.hold(Group.NARROW, 1, 0);
        CompletableFuture<Result> waiting = start(Ask.of(Group.NARROW.key(), "chat"), stopping.port());
        stopping.await(Group.NARROW, 1, 1);
        CompletableFuture<Void> stop = CompletableFuture.runAsync(
                stopping::drain, task -> Thread.ofPlatform().name("stop").start(task));

        assertThat(waiting.join()).isEqualTo(refused(503, "service_unavailable_error", "shutting_down"));
        holders.close();
        stop.orTimeout(30, SECONDS).join();
        stopping.close();
    }
}
