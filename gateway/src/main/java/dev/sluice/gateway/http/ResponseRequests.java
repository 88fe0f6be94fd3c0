package dev.sluice.gateway.http;

import dev.sluice.gateway.http.KeptAnswers.Page;
import dev.sluice.gateway.http.KeptAnswers.Reply;
import dev.sluice.gateway.telemetry.Telemetry.StatusCounters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Requests about one kept response: {@code GET}, {@code DELETE}, {@code …/cancel} and {@code …/input_items}. */
final class ResponseRequests {
    private static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final String CANCEL = "cancel";
    private static final String INPUT_ITEMS = "input_items";
    private static final int LIMIT = 20;
    private static final int LIMIT_MAX = 100;

    private final Api api;
    private final KeptAnswers kept;
    private final String prefix;
    private final StatusCounters counters;

    ResponseRequests(Shared shared, Api api, KeptAnswers kept) {
        this.api = api;
        this.kept = kept;
        this.prefix = api.path() + '/';
        this.counters = shared.telemetry().route(prefix + "{id}");
    }

    /** A fault of the query; a value, thrown to keep the reading flat. */
    private static final class BadQuery extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Problem problem;

        BadQuery(String param, String message) {
            super(message, null, false, false);
            problem = Problem.of(Fault.INVALID_REQUEST, message).at(param);
        }
    }

    boolean concerns(String path) {
        return path.startsWith(prefix) && path.length() > prefix.length();
    }

    void accept(Lane lane, HttpServerRequest request, String path) {
        String rest = path.substring(prefix.length());
        int slash = rest.indexOf('/');
        String id = PathDecoding.decode(slash < 0 ? rest : rest.substring(0, slash));
        String what = slash < 0 ? "" : rest.substring(slash + 1);
        Optional<Tenant> tenant = lane.switchboard().keyring().tenant(request.headers(), lane.sha256());
        String allowed = allowed(what);
        if (allowed.isEmpty()) {
            refuse(lane, request, Problem.of(Fault.NOT_FOUND, "There is nothing at this path."));
        } else if (!Set.of(allowed.split(", ")).contains(request.method().name())) {
            request.response().putHeader(HttpHeaders.ALLOW, allowed);
            refuse(lane, request, Problems.methodNotAllowed(allowed));
        } else if (tenant.isEmpty()) {
            refuse(lane, request, Problems.unknownKey());
        } else {
            try {
                answer(lane, request, ask(request, tenant.get().group().id(), id, what));
            } catch (BadQuery bad) {
                refuse(lane, request, bad.problem);
            }
        }
    }

    private static String allowed(String what) {
        return switch (what) {
            case "" -> "GET, DELETE";
            case CANCEL -> "POST";
            case INPUT_ITEMS -> "GET";
            default -> "";
        };
    }

    private CompletionStage<Reply> ask(HttpServerRequest request, String group, String id, String what)
            throws BadQuery {
        if (what.equals(CANCEL)) {
            return kept.cancel(group, id);
        }
        if (what.equals(INPUT_ITEMS)) {
            return kept.inputItems(group, id, page(request));
        }
        if (request.method().equals(HttpMethod.DELETE)) {
            return kept.delete(group, id);
        }
        String stream = request.getParam("stream", "false");
        String after = request.getParam("starting_after");
        if (!stream.equals("true") && !stream.equals("false")) {
            throw new BadQuery("stream", "'stream' must be true or false.");
        }
        if (stream.equals("false") && after != null) {
            throw new BadQuery("starting_after", "'starting_after' needs stream=true.");
        }
        return stream.equals("true") ? kept.follow(group, id, number(after)) : kept.show(group, id);
    }

    private static long number(@Nullable String after) throws BadQuery {
        if (after == null) {
            return -1;
        }
        if (!after.matches("[0-9]{1,15}")) {
            throw new BadQuery("starting_after", "'starting_after' must be the sequence_number of an event.");
        }
        return Long.parseLong(after);
    }

    private static Page page(HttpServerRequest request) throws BadQuery {
        String limit = request.getParam("limit", Integer.toString(LIMIT));
        String order = request.getParam("order", "desc");
        if (!limit.matches("[0-9]{1,3}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > LIMIT_MAX) {
            throw new BadQuery("limit", "'limit' must be a whole number from 1 to " + LIMIT_MAX + ".");
        }
        if (!order.equals("asc") && !order.equals("desc")) {
            throw new BadQuery("order", "'order' must be asc or desc.");
        }
        return new Page(Integer.parseInt(limit), order.equals("asc"), Optional.ofNullable(request.getParam("after")));
    }

    private void answer(Lane lane, HttpServerRequest request, CompletionStage<Reply> later) {
        later.whenComplete((reply, outage) -> lane.run(() -> {
            if (reply == null) {
                refuse(
                        lane,
                        request,
                        outage instanceof RuntimeException ? Problems.internal() : Refusals.unavailable());
                return;
            }
            switch (reply) {
                case Reply.Refused(Problem problem) -> refuse(lane, request, problem);
                case Reply.Events(Chronicle chronicle)
                when lane.draining() -> {
                    chronicle.close();
                    refuse(lane, request, Refusals.shuttingDown());
                }
                case Reply.Events(Chronicle chronicle) -> {
                    counters.ended(200);
                    new Follower(lane, request, chronicle).start();
                }
                case Reply.Json(Buffer body) -> {
                    if (!request.response().closed()) {
                        counters.ended(200);
                        request.response()
                                .putHeader(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON)
                                .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
                                .end(body);
                    }
                }
            }
        }));
    }

    private void refuse(Lane lane, HttpServerRequest request, Problem problem) {
        counters.ended(api.status(problem));
        ProblemReply.send(lane, request, api, problem);
    }
}
