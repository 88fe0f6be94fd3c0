package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Filing;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.KeptAnswers;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Reading;
import dev.sluice.gateway.tasks.KeptTasks;
import dev.sluice.gateway.tasks.Watch;
import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.responses.StoredResponse;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completes requests from the gateway's own store and keeps their answers there. An upstream gets every request whole
 * and is told to keep nothing: the next one may go elsewhere, and what a client deletes must be gone.
 */
public final class StoredAnswers implements KeptAnswers {
    /**
     * What is needed where responses are kept.
     *
     * @param tasks by which responses in the background are made
     * @param watch by which they are followed
     */
    public record Places(ResponseStore store, EventStore events, KeptTasks tasks, Watch watch) {}

    private final Optional<Places> places;
    private final Dialect openAi;
    private final InstantSource clock;
    private final LongSupplier answerBytesMax;

    /**
     * @param places empty if nothing can be kept
     * @param answerBytesMax the largest answer that is kept
     */
    public StoredAnswers(Optional<Places> places, Dialect openAi, InstantSource clock, LongSupplier answerBytesMax) {
        this.places = places;
        this.openAi = openAi;
        this.clock = clock;
        this.answerBytesMax = answerBytesMax;
    }

    @Override
    public CompletionStage<Prepared> prepare(String group, InferenceRequest request, boolean async) {
        RequestFields fields = RequestFields.of(request.body());
        Optional<Problem> fault = fault(fields);
        if (fault.isPresent()) {
            return CompletableFuture.completedStage(new Prepared.Refused(fault.get()));
        }
        if (fields.previous().isEmpty() && !fields.refers()) {
            return CompletableFuture.completedStage(ready(group, request, fields, Optional.empty(), async));
        }
        ResponseStore kept = places.orElseThrow().store();
        return Blocking.call(() -> {
            return switch (Earlier.all(kept, group, fields, request.body())) {
                case Earlier.Found.Not(Problem problem) -> new Prepared.Refused(problem);
                case Earlier.Found.Items(byte[] items) -> ready(group, request, fields, Optional.of(items), async);
            };
        });
    }

    @Override
    public Reading alone(InferenceRequest request) {
        RequestFields fields = RequestFields.of(request.body());
        if (fields.conversation()) {
            return new Reading.Invalid(conversation());
        }
        if (fields.previous().isPresent()) {
            return new Reading.Invalid(refusal(
                    "previous_response_id",
                    "A request of a batch stands alone: send all that it goes on from as 'input'."));
        }
        if (fields.refers()) {
            return new Reading.Invalid(
                    refusal("input", "A request of a batch stands alone: send the items themselves."));
        }
        if (fields.background() || fields.store().orElse(false)) {
            String field = fields.background() ? "background" : "store";
            return new Reading.Invalid(refusal(
                    field,
                    "The response to a request of a batch is in the batch's output file, and only there: leave '"
                            + field + "' out."));
        }
        return fields.toUpstream(request, Optional.empty());
    }

    private static Problem conversation() {
        return refusal(
                "conversation",
                "This gateway keeps responses, not conversations. Go on from a response by 'previous_response_id',"
                        + " or send the whole conversation as 'input'.");
    }

    private Optional<Problem> fault(RequestFields fields) {
        if (fields.conversation()) {
            return Optional.of(conversation());
        }
        if (fields.background() && fields.store().isPresent() && !fields.store().get()) {
            return Optional.of(refusal(
                    "store", "A response in the background must be kept until it is fetched: leave 'store' out."));
        }
        if (places.isPresent()) {
            return Optional.empty();
        }
        String name = fields.background()
                ? "background"
                : fields.previous().isPresent()
                        ? "previous_response_id"
                        : fields.store().orElse(false) ? "store" : "";
        if (name.isEmpty() && fields.refers()) {
            return Optional.of(refusal("input", NothingKept.reason(References.TYPE)));
        }
        return name.isEmpty() ? Optional.empty() : Optional.of(refusal(name, NothingKept.reason(name)));
    }

    private static Problem refusal(String field, String message) {
        return Problem.of(Fault.INVALID_REQUEST, message).at(field);
    }

    /** @param input all items; empty if they are those of the request alone */
    private Prepared ready(
            String group, InferenceRequest request, RequestFields fields, Optional<byte[]> input, boolean async) {
        InferenceRequest whole = fields.toUpstream(request, input);
        boolean keep = places.isPresent() && fields.store().orElse(true);
        boolean background = fields.background() || (async && keep);
        Optional<byte[]> items = keep
                ? Optional.of(input.orElseGet(() -> Earlier.joined(new byte[0], fields.items(request.body()))))
                : Optional.empty();
        var recording = new AnswerRecording(
                request.model(),
                openAi,
                clock,
                answerBytesMax.getAsLong(),
                background
                        ? Optional.empty()
                        : items.map(kept ->
                                new AnswerKeeping(places.orElseThrow().store(), group, fields.previous(), kept)));
        return new Prepared.Ready(
                whole,
                recording,
                background
                        ? Optional.of(
                                new Filing.Background(request.stream() && !async, shown(request), items.orElseThrow()))
                        : Optional.empty());
    }

    /** Its id is that of its task, which is not known yet. */
    private byte[] shown(InferenceRequest request) {
        ObjectNode asked = Json.object(request.body()).orElseThrow();
        return Json.bytes(
                ResponseObject.queued(asked, request.model(), clock.instant().getEpochSecond()));
    }

    @Override
    public CompletionStage<Reply> filed(String group, UUID task, boolean fresh) {
        return of(group, ResponseObject.id(task), (there, response) -> {
            if (response.streamed()) {
                return new Reply.Events(chronicle(there, group, response, 0));
            }
            return json(fresh ? ResponseView.queued(response) : ResponseView.of(response));
        });
    }

    @Override
    public CompletionStage<Reply> show(String group, String id) {
        return of(group, id, (there, response) -> json(ResponseView.of(response)));
    }

    @Override
    public CompletionStage<Reply> cancel(String group, String id) {
        return of(group, id, (there, response) -> {
            if (response.task().isEmpty()) {
                return new Reply.Refused(Problem.of(
                        Fault.INVALID_REQUEST,
                        "Only a response in the background can be cancelled; this one has ended."));
            }
            there.tasks().end(response.task().get().id());
            return there.store()
                    .find(group, id)
                    .<Reply>map(now -> json(ResponseView.of(now)))
                    .orElseGet(() -> notThere(id));
        });
    }

    @Override
    public CompletionStage<Reply> delete(String group, String id) {
        return of(group, id, (there, response) -> {
            if (response.task().isPresent()) {
                UUID task = response.task().get().id();
                there.tasks().end(task);
                there.tasks().purge(task);
            }
            there.store().delete(group, id);
            return json(Json.object().put("id", id).put("object", "response").put("deleted", true));
        });
    }

    @Override
    public CompletionStage<Reply> inputItems(String group, String id, Page page) {
        return of(
                group,
                id,
                (there, response) -> there.store()
                        .input(group, id)
                        .flatMap(Json::array)
                        .<Reply>map(input -> InputItems.list(id, input, page)
                                .<Reply>map(StoredAnswers::json)
                                .orElseGet(() -> new Reply.Refused(refusal(
                                        "after", "'after' must be the id of the last item that was listed before."))))
                        .orElseGet(() -> notThere(id)));
    }

    @Override
    public CompletionStage<Reply> follow(String group, String id, long after) {
        return of(
                group,
                id,
                (there, response) -> response.streamed()
                        ? new Reply.Events(chronicle(there, group, response, after + 1))
                        : new Reply.Refused(
                                refusal(
                                        "stream",
                                        "Only a response that was asked for with 'background' and 'stream' has events that are kept.")));
    }

    private static ResponseChronicle chronicle(Places there, String group, StoredResponse response, long next) {
        return new ResponseChronicle(
                there.watch(),
                there.store(),
                there.events(),
                group,
                response.id(),
                response.task().orElseThrow().id(),
                Json.object(response.body()).orElseThrow(),
                next);
    }

    private interface Use {
        Reply of(Places there, StoredResponse response) throws SQLException;
    }

    private CompletionStage<Reply> of(String group, String id, Use use) {
        if (places.isEmpty()) {
            return CompletableFuture.completedStage(
                    new Reply.Refused(Problem.of(Fault.NOT_FOUND, NothingKept.reason("GET /v1/responses/{id}"))));
        }
        Places there = places.get();
        return Blocking.call(() -> {
            // PostgreSQL knows no NUL in a text.
            Optional<StoredResponse> found =
                    id.indexOf('\0') >= 0 ? Optional.empty() : there.store().find(group, id);
            return found.isPresent() ? use.of(there, found.get()) : notThere(id);
        });
    }

    private static Reply json(ObjectNode object) {
        return new Reply.Json(Buffer.buffer(Json.bytes(object)));
    }

    private static Reply notThere(String id) {
        return new Reply.Refused(Problem.of(
                Fault.NOT_FOUND,
                "There is no response '" + Earlier.shown(id)
                        + "': it was not kept, was deleted, or its time to be kept is over."));
    }
}
