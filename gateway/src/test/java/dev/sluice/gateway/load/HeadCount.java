package dev.sluice.gateway.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many requests an upstream runs now, and the most it ever ran at one instant, in each scope it was told of. */
final class HeadCount {
    private final Map<String, Integer> now = new HashMap<>();
    private final Map<String, Integer> max = new HashMap<>();
    private final Map<String, Integer> total = new HashMap<>();

    synchronized void started(List<String> scopes) {
        for (String scope : scopes) {
            int running = now.merge(scope, 1, Integer::sum);
            max.merge(scope, running, Math::max);
            total.merge(scope, 1, Integer::sum);
        }
    }

    synchronized void ended(List<String> scopes) {
        for (String scope : scopes) {
            if (now.merge(scope, -1, Integer::sum) < 0) {
                throw new IllegalStateException(scope + " ended more often than it started");
            }
        }
    }

    synchronized int now() {
        return now.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized int max(String scope) {
        return max.getOrDefault(scope, 0);
    }

    synchronized int total(String scope) {
        return total.getOrDefault(scope, 0);
    }

    @Override
    public synchronized String toString() {
        return "most at once " + max + ", in all " + total;
    }
}
