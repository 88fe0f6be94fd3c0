package dev.sluice.gateway.tasks;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.Scope;
import dev.sluice.admission.Snapshot.ScopeView;
import dev.sluice.admission.TaskFilter;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.Group;
import dev.sluice.gateway.config.Model;
import dev.sluice.postgres.PostgresAdmission;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Takes out of the queue what waits for a group that is gone, or for a model that its group may not use any more. */
final class Entitlements {
    private static final int AT_ONCE = 1_000;

    private final PostgresAdmission admission;

    Entitlements(PostgresAdmission admission) {
        this.admission = admission;
    }

    /** Blocks. */
    void enforce(Configuration configuration) {
        for (ScopeView view : admission.snapshot().scopes()) {
            Scope scope = view.scope();
            if (scope.type().equals(Scope.USER_GROUP) && view.waitingAsync() > 0) {
                Optional<Group> group = configuration.groups().stream()
                        .filter(known -> known.id().equals(scope.key()))
                        .findFirst();
                if (group.isEmpty()) {
                    evict(scope, Optional.empty());
                } else {
                    configuration.models().stream()
                            .map(Model::id)
                            .filter(model -> !group.get().mayUse(model))
                            .forEach(model -> evict(scope, Optional.of(model)));
                }
            }
        }
    }

    private void evict(Scope group, Optional<String> model) {
        var filter = new TaskFilter(Optional.of(true), Optional.of(false), Optional.of(group), model, AT_ONCE);
        boolean some = true;
        while (some) {
            List<CompletionStage<Boolean>> evictions = admission.list(filter).stream()
                    .map(task -> admission.evict(task.task(), Eviction.OPERATOR))
                    .toList();
            some = false;
            for (CompletionStage<Boolean> eviction : evictions) {
                some |= eviction.toCompletableFuture().join();
            }
        }
    }
}
