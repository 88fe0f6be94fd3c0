package dev.sluice.bench.ledger;

import dev.sluice.bench.seed.AdmitResult;
import dev.sluice.bench.seed.Candidate;
import dev.sluice.bench.seed.GroupPolicy;
import dev.sluice.bench.seed.QueueItem;
import dev.sluice.bench.seed.SeedProvider;
import dev.sluice.bench.seed.SeedQueue;
import dev.sluice.bench.seed.SeedQueue.Offered;
import dev.sluice.bench.seed.SeedRefusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The port of the seed. Waiters are queue items whose result channel is read after the release, so that 10,000 of them
 * need no thread each and the port does not pay for parking.
 */
final class SeedRig implements Rig {
    private static final GroupPolicy POLICY = GroupPolicy.of(1_000_000, TimeUnit.HOURS.toNanos(24));

    private final SeedQueue queue = new SeedQueue(POLICY, System::nanoTime);
    private final SeedQueue.Request request;
    private final ArrayDeque<Candidate> running = new ArrayDeque<>();
    private final ArrayDeque<QueueItem> waiting = new ArrayDeque<>();

    SeedRig(int providers, int capacity, int backlog) {
        List<SeedProvider> configured = new ArrayList<>();
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < providers; i++) {
            SeedProvider provider = SeedProvider.of("gpu-" + i, capacity);
            configured.add(provider);
            candidates.add(new Candidate("node", provider));
        }
        queue.configure("node", configured);
        request = new SeedQueue.Request("chat", candidates, POLICY, null, false, false);
        if (backlog > 0) {
            for (int i = 0; i < providers * capacity + backlog; i++) {
                offer();
            }
        }
    }

    private void offer() {
        try {
            switch (queue.offer(request)) {
                case Offered.Dispatched(Candidate candidate) -> running.add(candidate);
                case Offered.Queued(QueueItem item) -> waiting.add(item);
            }
        } catch (SeedRefusal refusal) {
            throw new IllegalStateException(refusal);
        }
    }

    @Override
    public Object submitAndRelease() {
        offer();
        Candidate candidate = running.removeFirst();
        queue.release(candidate.leaseId());
        return candidate;
    }

    @Override
    public Object releaseAndSubmit() {
        queue.release(running.removeFirst().leaseId());
        if (!(waiting.removeFirst().poll() instanceof AdmitResult.Dispatched(Candidate candidate))) {
            throw new IllegalStateException("the first waiter did not start");
        }
        running.add(candidate);
        offer();
        return candidate;
    }
}
