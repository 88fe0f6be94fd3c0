package dev.sluice.admission.histories;

import dev.sluice.admission.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Who must be told what, when the wait of a task ends. */
final class NaiveClaims {
    private final List<Claim> claims = new ArrayList<>();

    static final class Claim {
        final UUID task;
        final String waiter;
        Optional<String> ended = Optional.empty();

        Claim(UUID task, String waiter) {
            this.task = task;
            this.waiter = waiter;
        }
    }

    /** The open claim on the task, or a new one. */
    Claim open(UUID task, String waiter) {
        return claims.stream()
                .filter(claim -> claim.task.equals(task) && claim.ended.isEmpty())
                .findFirst()
                .orElseGet(() -> {
                    Claim claim = new Claim(task, waiter);
                    claims.add(claim);
                    return claim;
                });
    }

    void admitted(UUID task) {
        end(task, "admitted");
    }

    void evicted(UUID task, Eviction reason) {
        end(task, reason.name());
    }

    /** The task is held by this waiter now; all others are told that they lost it. */
    void heldBy(UUID task, String waiter) {
        claims.stream()
                .filter(claim -> claim.task.equals(task) && claim.ended.isEmpty())
                .filter(claim -> !claim.waiter.equals(waiter))
                .forEach(claim -> claim.ended = Optional.of(Eviction.SUPERSEDED.name()));
    }

    private void end(UUID task, String how) {
        claims.stream()
                .filter(claim -> claim.task.equals(task) && claim.ended.isEmpty())
                .forEach(claim -> claim.ended = Optional.of(how));
    }
}
