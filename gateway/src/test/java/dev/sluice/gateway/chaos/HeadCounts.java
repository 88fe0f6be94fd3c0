package dev.sluice.gateway.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What runs at the upstreams at each instant, by scope. What belongs to a frozen gateway is counted apart: nobody can
 * stop it, and its slots are given on when its leases end.
 */
final class HeadCounts {
    /** One request that an upstream works on. */
    static final class Call {
        final String gateway;
        final List<String> scopes;
        private boolean apart;
        private boolean over;

        Call(String gateway, List<String> scopes) {
            this.gateway = gateway;
            this.scopes = scopes;
        }
    }

    private final Map<String, Integer> limits;
    private final Map<String, Integer> now = new TreeMap<>();
    private final Map<String, Integer> max = new TreeMap<>();
    private final Map<String, Integer> total = new TreeMap<>();
    private final Set<Call> calls = new HashSet<>();
    private final Set<String> frozen = new HashSet<>();
    private final List<String> violations = new ArrayList<>();

    HeadCounts(Map<String, Integer> limits) {
        this.limits = Map.copyOf(limits);
    }

    synchronized void started(Call call) {
        calls.add(call);
        call.apart = frozen.contains(call.gateway);
        for (String scope : call.scopes) {
            total.merge(scope, 1, Integer::sum);
            if (!call.apart) {
                int running = now.merge(scope, 1, Integer::sum);
                max.merge(scope, running, Math::max);
                if (running > limits.getOrDefault(scope, Integer.MAX_VALUE)) {
                    violations.add(running + " at once in " + scope + ", the last one by " + call.gateway);
                }
            }
        }
        long mine = calls.stream()
                .filter(other -> other.apart && other.gateway.equals(call.gateway))
                .count();
        if (call.apart
                && mine > limits.values().stream().mapToInt(limit -> limit).sum()) {
            violations.add(mine + " of the frozen " + call.gateway);
        }
    }

    synchronized void ended(Call call) {
        if (call.over) {
            return;
        }
        call.over = true;
        calls.remove(call);
        if (!call.apart) {
            call.scopes.forEach(scope -> now.merge(scope, -1, Integer::sum));
        }
    }

    /** From now on what {@code gateway} runs, or had on its way, counts apart. */
    synchronized void freeze(String gateway) {
        frozen.add(gateway);
        for (Call call : calls) {
            if (call.gateway.equals(gateway) && !call.apart) {
                call.apart = true;
                call.scopes.forEach(scope -> now.merge(scope, -1, Integer::sum));
            }
        }
    }

    /** What it starts from now on counts again. */
    synchronized void thaw(String gateway) {
        frozen.remove(gateway);
    }

    /** How many it still runs of those that were counted apart. */
    synchronized long apart(String gateway) {
        return calls.stream()
                .filter(call -> call.apart && call.gateway.equals(gateway))
                .count();
    }

    synchronized int running() {
        return calls.size();
    }

    /** The most at once, what a frozen gateway ran left out. */
    synchronized int max(String scope) {
        return max.getOrDefault(scope, 0);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public synchronized String toString() {
        return "most at once " + max + ", in all " + total;
    }
}
