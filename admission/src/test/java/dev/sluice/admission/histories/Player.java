package dev.sluice.admission.histories;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Turn;
import dev.sluice.admission.Waiting;
import dev.sluice.admission.contract.AdmissionFixture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Plays a history against an engine and the naive ledger side by side. */
final class Player {
    /** Where the two parted, or what invariant broke. */
    record Failure(int step, String what) {}

    /** The two ledgers do not say the same. */
    static final class Parted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Parted(String what) {
            super(what);
        }
    }

    /** A turn of the engine and the claim that the naive ledger has for it. */
    private record Pair(Turn turn, NaiveClaims.Claim claim) {}

    private record Epochs(long engine, long naive) {
        static final Epochs NONE = new Epochs(0, 0);

        Epochs fenced(Operation.Fence fence) {
            return switch (fence) {
                case CURRENT -> this;
                case PREVIOUS -> new Epochs(engine - 1, naive - 1);
                // Far away, so that no later admission can make it true.
                case NEXT -> new Epochs(engine + 1_000_000, naive + 1_000_000);
            };
        }
    }

    private final AdmissionFixture fixture;
    private final Admission admission;
    private final NaiveLedger naive;
    private final Comparison comparison;
    /** The epochs of both ledgers under which a task was last seen to run. */
    private final Map<UUID, Epochs> epochs = new HashMap<>();

    private final List<Pair> open = new ArrayList<>();

    private Player(AdmissionFixture fixture, History history) {
        this.fixture = fixture;
        admission = fixture.open(history.start());
        naive = new NaiveLedger(history.start());
        comparison = new Comparison(naive);
    }

    static Optional<Failure> play(History history, Supplier<AdmissionFixture> fixtures) {
        int step = 0;
        try (AdmissionFixture fixture = fixtures.get()) {
            Player player = new Player(fixture, history);
            for (Operation operation : history.operations()) {
                step++;
                player.perform(operation);
                if (!(operation instanceof Operation.Elapse)) {
                    player.check(operation instanceof Operation.Configure);
                }
            }
            step++;
            player.close();
            return Optional.empty();
        } catch (Parted parted) {
            return Optional.of(new Failure(step, String.valueOf(parted.getMessage())));
        } catch (RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            return Optional.of(new Failure(step, e + (trace.length == 0 ? "" : " at " + trace[0])));
        }
    }

    private void perform(Operation operation) {
        switch (operation) {
            case Operation.Submit submit -> answered(admission.submit(submit.ask()), naive.submit(submit.ask()));
            case Operation.FailOver move -> {
                Epochs epochs = epochs(Words.number(move.ask().task()), move.fence());
                answered(admission.failOver(move.ask(), epochs.engine()), naive.failOver(move.ask(), epochs.naive()));
            }
            case Operation.Rebind rebind -> {
                Ask ask = rebind.ask();
                same(
                        await(admission.rebind(ask)).map(Player::said),
                        naive.rebind(ask).map(NaiveLedger.Answer::said));
            }
            case Operation.Release release -> {
                Epochs epochs = epochs(release.task(), release.fence());
                same(
                        await(admission.release(Words.task(release.task()), epochs.engine())),
                        naive.release(release.task(), epochs.naive()));
            }
            case Operation.Renew renew -> {
                Epochs epochs = epochs(renew.task(), renew.fence());
                same(
                        await(admission.renew(Words.task(renew.task()), epochs.engine())),
                        naive.renew(renew.task(), epochs.naive()));
            }
            case Operation.Confirm confirm -> {
                Epochs epochs = epochs(confirm.task(), confirm.fence());
                same(
                        await(admission.confirm(Words.task(confirm.task()), epochs.engine())),
                        naive.confirm(confirm.task(), epochs.naive()));
            }
            case Operation.RenewWaiter renew ->
                same(
                        await(admission.renewWaiter(Words.task(renew.task()), renew.waiter())),
                        naive.renewWaiter(renew.task(), renew.waiter()));
            case Operation.Heartbeat beat -> {
                await(admission.renewHolder(beat.holder()));
                naive.renewHolder(beat.holder());
            }
            case Operation.Detach detach ->
                same(
                        await(admission.detach(Words.task(detach.task()), detach.waiter())),
                        naive.detach(detach.task(), detach.waiter()));
            case Operation.Cancel cancel ->
                same(
                        await(admission.cancel(Words.task(cancel.task()), cancel.reason())),
                        naive.cancel(cancel.task(), cancel.reason()));
            case Operation.Prioritise change ->
                same(
                        await(admission.changePriority(Words.task(change.task()), change.priority())),
                        naive.changePriority(change.task(), change.priority()));
            case Operation.Configure configure -> {
                await(admission.configure(configure.policies()));
                naive.configure(configure.policies());
            }
            case Operation.ProviderUp news -> {
                await(admission.providerUp(news.provider(), news.up()));
                naive.providerUp(news.provider(), news.up());
            }
            case Operation.Operate decision -> {
                await(admission.operate(decision.provider(), decision.state()));
                naive.operate(decision.provider(), decision.state());
            }
            case Operation.Elapse elapse -> {
                fixture.elapse(elapse.time());
                naive.now += elapse.time().toNanos();
            }
            case Operation.Tick tick -> {
                fixture.tick();
                naive.tick();
            }
        }
    }

    private void answered(Turn turn, NaiveLedger.Answer expected) {
        Decision decision = await(turn.decision());
        same(said(decision), expected.said());
        if (expected.claim().isPresent()) {
            open.add(new Pair(turn, expected.claim().get()));
        } else if (!await(turn.outcome()).equals(decision)) {
            throw new Parted("the outcome of a decided ask is not its decision");
        }
    }

    private void check(boolean reloaded) {
        naive.tick();
        fixture.settle();
        List<TaskView> views = comparison.compare(admission, reloaded);
        views.stream().filter(view -> !view.waiting()).forEach(this::remember);
        for (Pair pair : List.copyOf(open)) {
            Optional<String> told = Optional.ofNullable(
                            pair.turn().outcome().toCompletableFuture().getNow(null))
                    .map(Player::told);
            if (!told.equals(pair.claim().ended)) {
                throw new Parted("claim of " + pair.claim().waiter + " on #" + Words.number(pair.claim().task)
                        + " was told " + told + ", not " + pair.claim().ended);
            }
            if (told.isPresent()) {
                open.remove(pair);
            }
        }
    }

    private void remember(TaskView view) {
        NaiveTask task = naive.find(Words.number(view.task())).orElseThrow();
        epochs.put(
                view.task(), new Epochs(view.epoch(), task.holding.orElseThrow().epoch()));
    }

    /** Every claim ends, at the latest when the engine does. */
    private void close() {
        check(false);
        admission.close();
        fixture.settle();
        for (Pair pair : open) {
            if (!pair.turn().outcome().toCompletableFuture().isDone()) {
                throw new Parted("a claim on #" + Words.number(pair.claim().task) + " never ended");
            }
        }
    }

    private Epochs epochs(int task, Operation.Fence fence) {
        return epochs.getOrDefault(Words.task(task), Epochs.NONE).fenced(fence);
    }

    private static String said(Decision decision) {
        return switch (decision) {
            case Admitted admitted -> admitted.newly() ? "admitted" : "admitted before";
            case Waiting any -> "waiting";
            case Rejected rejected -> "rejected " + rejected.refusal().reason();
        };
    }

    private static String told(Outcome outcome) {
        return switch (outcome) {
            case Admitted any -> "admitted";
            case Rejected rejected -> "rejected " + rejected.refusal().reason();
            case Evicted evicted -> evicted.reason().name();
        };
    }

    private static void same(Object engine, Object naive) {
        if (!engine.equals(naive)) {
            throw new Parted("the engine says " + engine + ", the naive ledger " + naive);
        }
    }

    private <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(Math.max(fixture.patience().toMillis(), 1), TimeUnit.MILLISECONDS)
                .join();
    }
}
