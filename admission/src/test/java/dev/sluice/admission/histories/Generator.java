package dev.sluice.admission.histories;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.histories.Operation.Fence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Makes the history of a seed. */
final class Generator {
    private static final int RECENT = 14;

    private final Random random;
    private final World world;
    private final List<Ask> asked = new ArrayList<>();

    private Generator(long seed) {
        // Neighbouring seeds of Random begin alike.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        world = World.of(random);
    }

    static History history(long seed, int length) {
        Generator generator = new Generator(seed);
        var start = generator.world.policies(generator.random);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            operations.add(generator.next());
        }
        return new History(seed, start, operations);
    }

    private Operation next() {
        int dice = random.nextInt(100);
        if (dice < 34 || asked.isEmpty()) {
            return submit();
        }
        if (dice < 56) {
            return new Operation.Release(task(), fence());
        }
        if (dice < 62) {
            return new Operation.Elapse(Duration.ofSeconds(1 + random.nextInt(6)));
        }
        if (dice < 64) {
            return new Operation.Elapse(Duration.ofSeconds(15 + random.nextInt(30)));
        }
        if (dice < 68) {
            return new Operation.Heartbeat(any(World.HOLDERS));
        }
        return rarer(dice);
    }

    private Operation rarer(int dice) {
        return switch (dice) {
            case 68, 69, 70 -> new Operation.Renew(task(), fence());
            case 71, 72, 73 -> new Operation.RenewWaiter(task(), waiter());
            case 74, 75, 76 -> new Operation.Detach(task(), waiter());
            case 77, 78, 79, 80 ->
                new Operation.Cancel(task(), random.nextBoolean() ? Eviction.CANCELLED : Eviction.OPERATOR);
            case 81, 82, 83 -> new Operation.Prioritise(task(), priority());
            case 84, 85, 86 -> new Operation.Rebind(anew());
            case 87, 88, 89 -> new Operation.FailOver(anew(), fence());
            case 90, 91 -> new Operation.Configure(world.policies(random));
            case 92, 93, 94 -> new Operation.ProviderUp(any(World.PROVIDERS), random.nextInt(3) > 0);
            case 95, 96 ->
                new Operation.Operate(
                        any(World.PROVIDERS),
                        any(List.of(
                                ProviderState.ENABLED,
                                ProviderState.ENABLED,
                                ProviderState.DISABLED,
                                ProviderState.DRAINING)));
            case 97 -> new Operation.Confirm(task(), fence());
            default -> new Operation.Tick();
        };
    }

    private Operation submit() {
        if (!asked.isEmpty() && random.nextInt(5) == 0) {
            // Asked again: by the same waiter or another, now and then with other needs.
            return new Operation.Submit(random.nextInt(4) == 0 ? anew() : byAnyone(recent()));
        }
        Ask ask = ask(asked.size() + 1, mode());
        asked.add(ask);
        return new Operation.Submit(ask);
    }

    /** An earlier task with needs of its own. */
    private Ask anew() {
        Ask known = recent();
        return ask(Words.number(known.task()), byAnyone(known).mode());
    }

    private Ask byAnyone(Ask ask) {
        Mode mode = ask.isSync() && random.nextBoolean() ? new Mode.Sync(waiter(), any(World.HOLDERS)) : ask.mode();
        return new Ask(ask.task(), mode, ask.priority(), ask.demands(), ask.routing(), ask.maxWait(), ask.label());
    }

    private Ask ask(int number, Mode mode) {
        List<Scope> scopes = new ArrayList<>(World.OTHERS);
        Optional<Routing> routing = Optional.empty();
        if (random.nextInt(3) > 0) {
            routing = Optional.of(new Routing(
                    any(World.ROUTES),
                    amount(),
                    world.longRequests() && random.nextInt(3) == 0,
                    random.nextInt(5) == 0 ? Set.of(any(World.PROVIDERS)) : Set.of()));
        } else {
            scopes.addAll(World.MODELS);
        }
        Collections.shuffle(scopes, random);
        int count = routing.isPresent() ? random.nextInt(4) : 2 + random.nextInt(3);
        List<Demand> demands = scopes.subList(0, count).stream()
                .map(scope -> new Demand(scope, amount()))
                .toList();
        return new Ask(Words.task(number), mode, priority(), demands, routing, maxWait(), "");
    }

    /** One to five units, mostly one; now and then a part. */
    private long amount() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> Amount.units(1 + random.nextInt(5));
            case 2 -> 1 + random.nextInt(2_500);
            default -> Amount.ONE;
        };
    }

    private MaxWait maxWait() {
        return switch (random.nextInt(10)) {
            case 0 -> MaxWait.DO_NOT_QUEUE;
            case 1 -> MaxWait.atMost(Duration.ofSeconds(1 + random.nextInt(40)));
            default -> MaxWait.INHERIT;
        };
    }

    private Mode mode() {
        return random.nextInt(4) == 0 ? Mode.ASYNC : new Mode.Sync(waiter(), any(World.HOLDERS));
    }

    private String waiter() {
        return "w" + random.nextInt(3);
    }

    private int priority() {
        return random.nextInt(3) == 0 ? 50 : 100;
    }

    private Fence fence() {
        return switch (random.nextInt(12)) {
            case 0 -> Fence.PREVIOUS;
            case 1 -> Fence.NEXT;
            default -> Fence.CURRENT;
        };
    }

    private Ask recent() {
        return asked.get(Math.max(0, asked.size() - 1 - random.nextInt(RECENT)));
    }

    private int task() {
        return Words.number(recent().task());
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
