package dev.sluice.gateway.admin;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Eviction;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** What an operator does to a task that waits. One that runs is left alone: its provider works on it. */
final class AdmissionOrders {
    private static final int BODY_BYTES_MAX = 4 << 10;
    private static final int PRIORITY_MAX = 1_000_000;

    private final Admission admission;
    private final BiConsumer<UUID, Integer> prioritised;

    AdmissionOrders(Admission admission, BiConsumer<UUID, Integer> prioritised) {
        this.admission = admission;
        this.prioritised = prioritised;
    }

    void evict(Context loop, HttpServerRequest request, UUID task) {
        answer(loop, request, task, admission.evict(task, Eviction.OPERATOR), "evicted", () -> {});
    }

    void prioritise(Context loop, HttpServerRequest request, UUID task) {
        request.body().onSuccess(body -> {
            OptionalInt priority = body.length() > BODY_BYTES_MAX
                    ? OptionalInt.empty()
                    : LedgerView.number(body.getBytes(), "priority");
            if (priority.isEmpty() || priority.getAsInt() < 0 || priority.getAsInt() > PRIORITY_MAX) {
                AdminPlane.refuse(
                        request,
                        400,
                        "invalid_request_error",
                        "invalid_request",
                        "Send {\"priority\": N} with a whole number from 0 to " + PRIORITY_MAX
                                + "; lower runs sooner.");
                return;
            }
            int wish = priority.getAsInt();
            answer(
                    loop,
                    request,
                    task,
                    admission.changePriority(task, wish),
                    "waiting",
                    () -> prioritised.accept(task, wish));
        });
    }

    private void answer(
            Context loop,
            HttpServerRequest request,
            UUID task,
            CompletionStage<Boolean> later,
            String done,
            Runnable then) {
        later.whenComplete((changed, outage) -> loop.runOnContext(now -> {
            if (outage != null) {
                AdminPlane.unavailable(request);
            } else if (changed) {
                then.run();
                AdminPlane.json(request, 200, LedgerView.done(task, done));
            } else if (admission.place(task).isPresent()) {
                AdminPlane.refuse(
                        request,
                        409,
                        "conflict_error",
                        "task_running",
                        "The task runs; only one that waits can be moved.");
            } else {
                AdminPlane.noSuchTask(request);
            }
        }));
    }
}
