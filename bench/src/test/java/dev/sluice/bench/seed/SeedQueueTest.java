package dev.sluice.bench.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The port of the in-memory seed")
class SeedQueueTest {
    private static final long SECOND = 1_000_000_000L;

    private long now;
    private SeedQueue queue;
    private List<Candidate> candidates;

    @BeforeEach
    void twoProvidersOfOneSlotEach() {
        now = 1;
        queue = new SeedQueue(GroupPolicy.of(3, 60 * SECOND), () -> now);
        candidates = configure(SeedProvider.of("a", 1), SeedProvider.of("b", 1));
    }

    private List<Candidate> configure(SeedProvider... providers) {
        queue.configure("node", List.of(providers));
        List<Candidate> list = new ArrayList<>();
        for (SeedProvider p : providers) {
            list.add(new Candidate("node", p));
        }
        return list;
    }

    private SeedQueue.Request request(String group, boolean isLong) {
        return new SeedQueue.Request(group, candidates, GroupPolicy.of(2, 30 * SECOND), null, isLong, false);
    }

    private Candidate dispatched(String group) throws SeedRefusal {
        return ((SeedQueue.Offered.Dispatched) queue.offer(request(group, false))).candidate();
    }

    private QueueItem queued(String group, boolean isLong) throws SeedRefusal {
        return ((SeedQueue.Offered.Queued) queue.offer(request(group, isLong))).item();
    }

    private static Candidate granted(QueueItem item) {
        return ((AdmitResult.Dispatched) item.poll()).candidate();
    }

    @Test
    void takesTheProviderWithTheFewestInFlight() throws SeedRefusal {
        assertThat(dispatched("g").providerId()).isEqualTo("a");
        assertThat(dispatched("g").providerId()).isEqualTo("b");
    }

    @Test
    void servesWaitersOfAllGroupsInOrderOfArrival() throws SeedRefusal {
        Candidate first = dispatched("g");
        Candidate second = dispatched("g");
        QueueItem earlier = queued("z", false);
        QueueItem later = queued("g", false);

        queue.release(first.leaseId());
        Candidate granted = granted(earlier);
        assertThat(granted.providerId()).isEqualTo("a");
        assertThat(later.poll()).isNull();

        queue.release(second.leaseId());
        assertThat(granted(later).providerId()).isEqualTo("b");
    }

    @Test
    void refusesWhenTheQueueOfTheGroupIsFull() throws SeedRefusal {
        dispatched("g");
        dispatched("g");
        queued("g", false);
        queued("g", false);
        SeedRefusal refusal = catchThrowableOfType(SeedRefusal.class, () -> queue.offer(request("g", false)));
        assertThat(refusal.kind()).isEqualTo(SeedRefusal.Kind.QUEUE_FULL);
        assertThat(queue.waiting("g")).isEqualTo(2);
    }

    @Test
    void expiresWaitersWhenThePumpRunsPastTheirDeadline() throws SeedRefusal {
        Candidate first = dispatched("g");
        dispatched("g");
        QueueItem late = queued("g", false);
        now += 30 * SECOND + 1;
        QueueItem fresh = queued("g", false);

        queue.release(first.leaseId());
        assertThat(((AdmitResult.Failed) late.poll()).refusal().kind()).isEqualTo(SeedRefusal.Kind.QUEUE_TIMEOUT);
        assertThat(granted(fresh).providerId()).isEqualTo("a");
    }

    @Test
    void aReleaseCountsOnce() throws SeedRefusal {
        Candidate first = dispatched("g");
        dispatched("g");
        queue.release(first.leaseId());
        queue.release(first.leaseId());
        dispatched("g");
        assertThat(queue.offer(request("g", false))).isInstanceOf(SeedQueue.Offered.Queued.class);
    }

    @Test
    void aBlockedLongRequestHoldsUpNobody() throws SeedRefusal {
        candidates = configure(new SeedProvider("a", true, 2, 1, 0, "", "", ""));
        SeedQueue.Offered.Dispatched running = (SeedQueue.Offered.Dispatched) queue.offer(request("g", true));
        Candidate normal = dispatched("g");
        QueueItem blockedLong = queued("g", true);
        QueueItem behind = queued("g", false);

        queue.release(normal.leaseId());
        assertThat(blockedLong.poll()).isNull();
        assertThat(granted(behind).providerId()).isEqualTo("a");

        queue.release(running.candidate().leaseId());
        assertThat(granted(blockedLong).providerId()).isEqualTo("a");
    }

    @Test
    void aDisabledProviderGetsNoWork() throws SeedRefusal {
        Candidate first = dispatched("g");
        dispatched("g");
        QueueItem waiting = queued("g", false);
        queue.configure("node", List.of(new SeedProvider("a", false, 1, 0, 0, "", "", ""), SeedProvider.of("b", 1)));
        queue.release(first.leaseId());
        assertThat(waiting.poll()).isNull();
    }

    @Test
    void admitBlocksUntilASlotIsFree() throws Exception {
        Candidate first = dispatched("g");
        dispatched("g");
        CompletableFuture<Candidate> waiter = inThread(request("g", false));
        while (queue.waiting("g") == 0) {
            Thread.onSpinWait();
        }
        queue.release(first.leaseId());
        assertThat(waiter.get(10, TimeUnit.SECONDS).providerId()).isEqualTo("a");
    }

    @Test
    void admitTimesOutByItself() throws Exception {
        queue = new SeedQueue(GroupPolicy.of(3, 0), System::nanoTime);
        candidates = configure(SeedProvider.of("a", 1));
        dispatched("g");
        SeedQueue.Request brief =
                new SeedQueue.Request("g", candidates, GroupPolicy.of(2, SECOND / 100), null, false, false);
        ExecutionException failure = catchThrowableOfType(
                ExecutionException.class, () -> inThread(brief).get(10, TimeUnit.SECONDS));
        assertThat(((SeedRefusal) failure.getCause()).kind()).isEqualTo(SeedRefusal.Kind.QUEUE_TIMEOUT);
        assertThat(queue.waiting("g")).isZero();
    }

    private CompletableFuture<Candidate> inThread(SeedQueue.Request request) {
        CompletableFuture<Candidate> result = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                result.complete(queue.admit(request));
            } catch (SeedRefusal refusal) {
                result.completeExceptionally(refusal);
            }
        });
        return result;
    }
}
