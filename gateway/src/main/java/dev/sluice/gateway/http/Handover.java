package dev.sluice.gateway.http;

import dev.sluice.gateway.http.Screening.Screened;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The filing of a request whose client does not wait, up to what that client is shown. */
final class Handover {
    /** How it went. */
    sealed interface Outcome {
        record Refused(Problem problem) implements Outcome {}

        /** @param task the new one, or the one that the idempotency key stands for */
        record Shown(UUID task, Buffer json) implements Outcome {}

        record Followed(UUID task, Chronicle chronicle) implements Outcome {}
    }

    private final Lane lane;
    private final Api api;
    private final MultiMap headers;
    private final Wishes wishes;
    private final Tenant caller;
    private final UUID task;
    private final int priority;

    Handover(Lane lane, Api api, MultiMap headers, Wishes wishes, Tenant caller, UUID task, int priority) {
        this.lane = lane;
        this.api = api;
        this.headers = headers;
        this.wishes = wishes;
        this.caller = caller;
        this.task = task;
        this.priority = priority;
    }

    /** @param then runs on the loop */
    void file(Screened screened, Consumer<Outcome> then) {
        InferenceRequest valid = screened.request();
        boolean streamed =
                screened.background().map(Filing.Background::streamed).orElse(false);
        if (valid.stream() && !streamed) {
            lane.context()
                    .executeBlocking(() -> api.whole(valid), false)
                    .onComplete(
                            whole -> file(screened, whole, then),
                            bug -> then.accept(new Outcome.Refused(Problems.internal())));
        } else {
            file(screened, valid.body(), then);
        }
    }

    private void file(Screened screened, byte[] body, Consumer<Outcome> then) {
        var filing = new Filing(
                screened.route()
                        .asyncAsk(task, caller, priority, wishes.maxWait(), screened.isLong(), screened.unfit()),
                caller.group().id(),
                api.path(),
                body,
                PassedHeaders.toUpstream(headers).entries().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                wishes.idempotencyKey()
                        .map(key -> IdempotencyKeys.hashes(
                                lane.sha256(),
                                key,
                                api.path(),
                                screened.request().body())),
                wishes.webhook(),
                screened.background());
        lane.shared()
                .tasks()
                .orElseThrow()
                .file(filing)
                .thenCompose(filed -> shown(filed, screened.background().isPresent() && !wishes.async()))
                .whenComplete((outcome, outage) -> lane.run(
                        () -> then.accept(outcome == null ? new Outcome.Refused(Refusals.unavailable()) : outcome)));
    }

    private CompletionStage<Outcome> shown(AsyncTasks.Filed filed, boolean asResponse) {
        return switch (filed) {
            case AsyncTasks.Filed.Rejected rejected -> refused(Refusals.problem(rejected.refusal()));
            case AsyncTasks.Filed.Mismatch() -> refused(Problems.idempotencyMismatch());
            case AsyncTasks.Filed.Accepted(UUID accepted, Buffer json) ->
                asResponse
                        ? api.kept()
                                .orElseThrow()
                                .filed(caller.group().id(), accepted, accepted.equals(task))
                                .thenApply(reply -> outcome(accepted, reply))
                        : CompletableFuture.completedStage(new Outcome.Shown(accepted, json));
        };
    }

    private static Outcome outcome(UUID task, KeptAnswers.Reply reply) {
        return switch (reply) {
            case KeptAnswers.Reply.Json(Buffer json) -> new Outcome.Shown(task, json);
            case KeptAnswers.Reply.Events(Chronicle chronicle) -> new Outcome.Followed(task, chronicle);
            case KeptAnswers.Reply.Refused(Problem problem) -> new Outcome.Refused(problem);
        };
    }

    private static CompletionStage<Outcome> refused(Problem problem) {
        return CompletableFuture.completedStage(new Outcome.Refused(problem));
    }
}
