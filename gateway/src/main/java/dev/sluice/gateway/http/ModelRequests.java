package dev.sluice.gateway.http;

import dev.sluice.gateway.config.Model;
import dev.sluice.gateway.telemetry.Telemetry.StatusCounters;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/** {@code GET /v1/models} and {@code /v1/models/{id}}, in the words of the API that the client speaks. */
final class ModelRequests {
    private static final String LIST = "/v1/models";
    private static final String ONE = LIST + "/";
    private static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");

    private final List<Catalogue> catalogues;
    private final StatusCounters counters;

    /** @param catalogues the first that is meant answers; the last is meant by everybody */
    ModelRequests(List<Catalogue> catalogues, StatusCounters counters) {
        this.catalogues = List.copyOf(catalogues);
        this.counters = counters;
    }

    boolean concerns(String path) {
        return path.equals(LIST) || path.startsWith(ONE);
    }

    void accept(Lane lane, HttpServerRequest request, String path) {
        Catalogue catalogue = catalogue(request.headers());
        Optional<Tenant> tenant = lane.switchboard().keyring().tenant(request.headers(), lane.sha256());
        if (!request.method().equals(HttpMethod.GET)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET");
            refuse(lane, request, catalogue, Problems.methodNotAllowed("GET"));
        } else if (tenant.isEmpty()) {
            refuse(lane, request, catalogue, Problems.unknownKey());
        } else if (path.equals(LIST)) {
            list(lane, request, catalogue, tenant.get());
        } else {
            String id = PathDecoding.decode(path.substring(ONE.length()));
            if (lane.switchboard().route(id).isPresent() && tenant.get().group().mayUse(id)) {
                answer(request, catalogue.one(id));
            } else {
                refuse(lane, request, catalogue, Problems.unknownModel(id));
            }
        }
    }

    private Catalogue catalogue(MultiMap headers) {
        return catalogues.stream()
                .filter(one -> one.isMeant(headers))
                .findFirst()
                .orElseGet(catalogues::getLast);
    }

    private void list(Lane lane, HttpServerRequest request, Catalogue catalogue, Tenant tenant) {
        List<String> ids = lane.switchboard()
                .routes()
                .map(Route::model)
                .map(Model::id)
                .filter(tenant.group()::mayUse)
                .toList();
        MultiMap query;
        try {
            query = request.params();
        } catch (IllegalArgumentException e) {
            refuse(lane, request, catalogue, Problems.brokenQuery());
            return;
        }
        switch (catalogue.list(ids, query)) {
            case Catalogue.Listing.Page(Buffer json) -> answer(request, json);
            case Catalogue.Listing.Wrong(Problem problem) -> refuse(lane, request, catalogue, problem);
        }
    }

    private void answer(HttpServerRequest request, Buffer json) {
        counters.ended(request.response().getStatusCode());
        request.response().putHeader(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON).end(json);
    }

    private void refuse(Lane lane, HttpServerRequest request, Catalogue catalogue, Problem problem) {
        counters.ended(catalogue.dialect().status(problem));
        ProblemReply.send(lane, request, catalogue.dialect(), problem);
    }
}
