package dev.sluice.gateway.admin;

import dev.sluice.admission.Admission;
import dev.sluice.admission.TaskFilter;
import dev.sluice.gateway.config.Admin;
import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.telemetry.Telemetry;
import dev.sluice.postgres.deadletters.DeadLetterStore;
import io.netty.handler.codec.TooLongFrameException;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The server of the admin address. */
public final class AdminPlane extends VerticleBase {
    private static final String METRICS = "/metrics";
    private static final String QUEUE = "/admin/queue";
    private static final String PROVIDERS = "/admin/providers";
    private static final String ADMISSIONS = "/admin/admissions";
    private static final Set<String> READ_ONLY = Set.of(METRICS, QUEUE, PROVIDERS, ADMISSIONS);
    private static final int LIST_DEFAULT = 100;
    private static final int LIST_MAX = 10_000;
    private static final String PRIORITY = "/priority";
    private static final int UUID_LENGTH = 36;

    private final Supplier<Admin> settings;
    private final LedgerView view;
    private final ProviderOrders providerOrders;
    private final ReloadOrder reloadOrder;
    private final AdmissionOrders orders;
    private final DeadLetterOrders deadLetters;
    private final PrometheusRegistry registry;
    private final ExpositionFormats formats = ExpositionFormats.init();
    private @Nullable HttpServer server;

    /**
     * @param source of the settings in force; the token may change while it runs
     * @param prioritised told of each task whose priority was changed, and of the new one
     * @param deadLetters empty if nothing is kept
     */
    public AdminPlane(
            ConfigurationSource source,
            Admission admission,
            BiConsumer<UUID, Integer> prioritised,
            Optional<DeadLetterStore> deadLetters,
            Telemetry telemetry) {
        this.settings = () -> source.current().admin();
        this.view = new LedgerView(admission, telemetry.outcomes());
        this.providerOrders = new ProviderOrders(admission, view);
        this.reloadOrder = new ReloadOrder(source);
        this.orders = new AdmissionOrders(admission, prioritised);
        this.deadLetters = new DeadLetterOrders(deadLetters);
        this.registry = telemetry.registry();
    }

    @Override
    public Future<?> start() {
        Admin admin = settings.get();
        return vertx.createHttpServer(
                        new HttpServerOptions().setHttp2ClearTextEnabled(false).setIdleTimeout(60))
                .requestHandler(this::guarded)
                .invalidRequestHandler(AdminPlane::invalid)
                .listen(admin.listen().port(), admin.listen().host())
                .recover(cause -> Future.failedFuture(admin.listen().refused(cause)))
                .onSuccess(listening -> server = listening);
    }

    /** The port in use, once started. */
    public int port() {
        HttpServer listening = server;
        return listening == null ? settings.get().listen().port() : listening.actualPort();
    }

    /** Whatever fails here, its client has an answer. */
    private void guarded(HttpServerRequest request) {
        try {
            accept(request);
        } catch (RuntimeException bug) {
            if (!request.response().ended()) {
                refuse(request, 500, "api_error", "internal_error", "The gateway failed. Its log tells more.");
            }
            throw bug;
        }
    }

    private void accept(HttpServerRequest request) {
        String path = Objects.requireNonNullElse(request.path(), "");
        Optional<String> refusal = AdminAccess.refusal(request, settings.get().token());
        if (refusal.isPresent()) {
            boolean token = settings.get().token().isPresent();
            refuse(request, token ? 401 : 403, "authentication_error", "admin_access_denied", refusal.get());
        } else if (!path.equals(METRICS) && !path.startsWith("/admin/")) {
            notFound(request);
        } else if (path.equals(ReloadOrder.PATH)) {
            reloadOrder.accept(vertx, request);
        } else if (path.startsWith(ProviderOrders.PATH)) {
            providerOrders.accept(context, request, path.substring(ProviderOrders.PATH.length()));
        } else if (DeadLetterOrders.handles(path)) {
            deadLetters.accept(context, request, path);
        } else if (!request.method().equals(HttpMethod.GET)) {
            order(request, path);
        } else if (moved(path).isPresent()) {
            refuseMethod(request, "POST");
        } else {
            read(request, path);
        }
    }

    private void read(HttpServerRequest request, String path) {
        switch (path) {
            case METRICS -> metrics(request);
            case QUEUE -> json(request, 200, view.queue());
            case PROVIDERS -> json(request, 200, view.providers());
            case ADMISSIONS -> list(request);
            default -> explain(request, path);
        }
    }

    private void order(HttpServerRequest request, String path) {
        Optional<UUID> evicted = task(below(path));
        Optional<UUID> moved = moved(path);
        if (evicted.isPresent() && request.method().equals(HttpMethod.DELETE)) {
            orders.evict(context, request, evicted.get());
        } else if (moved.isPresent() && request.method().equals(HttpMethod.POST)) {
            orders.prioritise(context, request, moved.get());
        } else if (evicted.isPresent()) {
            refuseMethod(request, "GET, DELETE");
        } else if (moved.isPresent()) {
            refuseMethod(request, "POST");
        } else if (READ_ONLY.contains(path)) {
            refuseMethod(request, "GET");
        } else {
            notFound(request);
        }
    }

    /** The part of a path that names one of the admissions, and perhaps what is to be done to it. */
    private static String below(String path) {
        return path.startsWith(ADMISSIONS + "/") ? path.substring(ADMISSIONS.length() + 1) : "";
    }

    /** The task whose priority is at this path. */
    private static Optional<UUID> moved(String path) {
        String below = below(path);
        return below.endsWith(PRIORITY)
                ? task(below.substring(0, below.length() - PRIORITY.length()))
                : Optional.empty();
    }

    private void list(HttpServerRequest request) {
        limit(request).ifPresent(limit -> list(request, limit));
    }

    /** How many a list may hold; empty if the query was refused. */
    static Optional<Integer> limit(HttpServerRequest request) {
        try {
            request.params();
        } catch (IllegalArgumentException e) {
            badParameter(request, "The query is not encoded as a URL must be.");
            return Optional.empty();
        }
        String limit = request.getParam("limit", Integer.toString(LIST_DEFAULT));
        if (!limit.matches("[0-9]{1,5}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > LIST_MAX) {
            badParameter(request, "limit must be a whole number from 1 to " + LIST_MAX + ".");
            return Optional.empty();
        }
        return Optional.of(Integer.parseInt(limit));
    }

    private void list(HttpServerRequest request, int limit) {
        String status = request.getParam("status", "");
        if (!status.isEmpty() && !status.equals("waiting") && !status.equals("admitted")) {
            badParameter(request, "status must be waiting or admitted.");
            return;
        }
        var filter = new TaskFilter(
                status.isEmpty() ? Optional.empty() : Optional.of(status.equals("waiting")),
                Optional.empty(),
                LedgerView.group(Optional.of(request.getParam("group", ""))),
                Optional.of(request.getParam("model", "")).filter(model -> !model.isEmpty()),
                limit);
        json(request, 200, view.list(filter));
    }

    private void explain(HttpServerRequest request, String path) {
        Optional<UUID> task = task(below(path));
        Optional<ObjectNode> found = task.flatMap(view::explain);
        if (found.isPresent()) {
            json(request, 200, found.get());
        } else if (task.isPresent()) {
            noSuchTask(request);
        } else {
            notFound(request);
        }
    }

    static Optional<UUID> task(String text) {
        try {
            return text.length() == UUID_LENGTH ? Optional.of(UUID.fromString(text)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void metrics(HttpServerRequest request) {
        // Not findWriter: it chooses protobuf, which needs a library more, for collectors that would like it best.
        ExpositionFormatWriter openMetrics = formats.getOpenMetricsTextFormatWriter();
        ExpositionFormatWriter writer = openMetrics.accepts(request.getHeader(HttpHeaders.ACCEPT))
                ? openMetrics
                : formats.getPrometheusTextFormatWriter();
        var out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, writer.getContentType())
                .end(Buffer.buffer(out.toByteArray()));
    }

    /** What the decoder could not read as a request. */
    private static void invalid(HttpServerRequest request) {
        request.response()
                .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                .endHandler(sent -> request.connection().close());
        if (request.decoderResult().cause() instanceof TooLongFrameException) {
            refuse(
                    request,
                    431,
                    "invalid_request_error",
                    "headers_too_large",
                    "Send a shorter request line and headers.");
        } else {
            refuse(request, 400, "invalid_request_error", "invalid_request", "This is not a valid HTTP request.");
        }
    }

    private static void badParameter(HttpServerRequest request, String message) {
        refuse(request, 400, "invalid_request_error", "invalid_request", message);
    }

    private static void notFound(HttpServerRequest request) {
        refuse(
                request,
                404,
                "invalid_request_error",
                "not_found",
                "There is nothing at this path; there is at /admin/queue, /admin/providers, /admin/admissions,"
                        + " /admin/dead-letters and /metrics.");
    }

    /** @param allowed the methods that the path takes */
    static void refuseMethod(HttpServerRequest request, String allowed) {
        request.response().putHeader(HttpHeaders.ALLOW, allowed);
        refuse(request, 405, "invalid_request_error", "method_not_allowed", "This path takes " + allowed + " only.");
    }

    static void noSuchTask(HttpServerRequest request) {
        refuse(
                request,
                404,
                "invalid_request_error",
                "not_found",
                "No task with this id waits or runs; of the requests that ended, this gateway knows the last 1,000.");
    }

    static void unavailable(HttpServerRequest request) {
        refuse(
                request,
                503,
                "service_unavailable_error",
                "admission_unavailable",
                "The ledger's database cannot be reached.");
    }

    static void refuse(HttpServerRequest request, int status, String type, String code, String message) {
        if (status == 401) {
            request.response().putHeader("www-authenticate", "Bearer");
        }
        json(request, status, LedgerView.error(type, code, message));
    }

    static void json(HttpServerRequest request, int status, ObjectNode body) {
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(Buffer.buffer(LedgerView.bytes(body)));
    }
}
