package dev.sluice.gateway;

import dev.sluice.admission.Admission;
import dev.sluice.gateway.admin.AdminPlane;
import dev.sluice.gateway.anthropic.AnthropicDialect;
import dev.sluice.gateway.anthropic.CountTokens;
import dev.sluice.gateway.anthropic.Messages;
import dev.sluice.gateway.anthropic.ModelPages;
import dev.sluice.gateway.batches.BatchesResource;
import dev.sluice.gateway.batches.Feeders;
import dev.sluice.gateway.batches.Workshop;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.LedgerPolicies;
import dev.sluice.gateway.config.ListenAddress;
import dev.sluice.gateway.files.FilesResource;
import dev.sluice.gateway.files.NotKept;
import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.DataPlane;
import dev.sluice.gateway.http.Patience;
import dev.sluice.gateway.http.Resource;
import dev.sluice.gateway.http.Shared;
import dev.sluice.gateway.openai.ChatCompletions;
import dev.sluice.gateway.openai.Completions;
import dev.sluice.gateway.openai.Embeddings;
import dev.sluice.gateway.openai.ModelList;
import dev.sluice.gateway.openai.OpenAiDialect;
import dev.sluice.gateway.responses.Responses;
import dev.sluice.gateway.responses.StoredAnswers;
import dev.sluice.gateway.tasks.KeptTasks;
import dev.sluice.gateway.tasks.Step;
import dev.sluice.gateway.tasks.TaskWorkers;
import dev.sluice.gateway.telemetry.DatabaseMetrics;
import dev.sluice.gateway.telemetry.LedgerMetrics;
import dev.sluice.gateway.telemetry.Telemetry;
import dev.sluice.gateway.webhooks.Deliveries;
import dev.sluice.postgres.batches.BatchLeases;
import dev.sluice.postgres.batches.BatchStore;
import dev.sluice.postgres.batches.LineStore;
import dev.sluice.postgres.deadletters.DeadLetterStore;
import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.TaskStore;
import dev.sluice.postgres.webhooks.DeliveryStore;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the one place where configuration, ledger, data plane and admin plane meet. Starting and stopping
 * block their caller, who must not be on an event loop.
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    // A waiter's lease is 15 s: two heartbeats may be lost.
    private static final long HEARTBEAT_MILLIS = 5_000;
    private static final long DRAIN_LOOK_MILLIS = 20;
    private static final Duration CUT_TIME = Duration.ofSeconds(2);
    /** For those who connected just before nobody listened any more. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);
    /** So long a connection that was accepted may be on its way to its event loop. */
    private static final Duration ACCEPTING = Duration.ofMillis(100);

    private static final BiConsumer<Step, UUID> NO_STEPS = (step, task) -> {};

    private final Vertx vertx;
    private final ConfigurationSource source;
    private final OpenLedger ledger;
    private final Admission admission;
    private final Shared shared;
    private final List<DataPlane> planes = new ArrayList<>();
    private final AdminPlane adminPlane;
    private final Telemetry telemetry;
    private final Optional<Kept> kept;
    private final Optional<KeptTasks> tasks;
    private Optional<TaskWorkers> workers = Optional.empty();
    private Optional<Deliveries> deliveries = Optional.empty();
    private Optional<Feeders> feeders = Optional.empty();

    private Gateway(ConfigurationSource source, OpenLedger ledger, String holder, int loops, Patience patience) {
        this.source = source;
        this.ledger = ledger;
        this.admission = ledger.admission();
        // One more loop, so that a scrape of the admin plane never holds up a stream.
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(loops + 1)
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        var registry = new PrometheusRegistry();
        this.telemetry = new Telemetry(registry, Main.version());
        telemetry.reloads(() -> source.counts().success(), () -> source.counts().failure());
        LedgerMetrics.register(registry, admission);
        ledger.durable().ifPresent(durable -> DatabaseMetrics.register(registry, durable.admission()));
        this.kept = ledger.durable().map(durable -> Kept.on(durable, holder));
        this.tasks = kept.map(Kept::tasks);
        this.shared = new Shared(
                source.current(),
                admission,
                ledger.available(),
                tasks.map(kept -> kept),
                telemetry,
                holder,
                InstantSource.system(),
                patience);
        this.adminPlane = new AdminPlane(
                source,
                admission,
                (task, priority) -> tasks.ifPresent(kept -> kept.prioritised(task, priority)),
                ledger.durable().map(Gateway::deadLetters),
                telemetry);
        source.addListener((before, after) -> configure(after));
    }

    /**
     * Starts with as many event loops as there are processors.
     *
     * @param progress gets a line before each step of a first start that takes time
     * @throws IllegalStateException if the embedded database cannot start, or an address is in use
     */
    public static Gateway start(ConfigurationSource source, Consumer<String> progress) {
        return start(source, Runtime.getRuntime().availableProcessors(), Patience.DEFAULT, progress, NO_STEPS);
    }

    static Gateway start(ConfigurationSource source, int loops, Patience patience) {
        return start(source, loops, patience, LOG::info, NO_STEPS);
    }

    /** @param steps told of each step of each task that is executed here */
    static Gateway start(
            ConfigurationSource source,
            int loops,
            Patience patience,
            Consumer<String> progress,
            BiConsumer<Step, UUID> steps) {
        ListenAddress.requireFree(
                List.of(source.current().listen(), source.current().admin().listen()));
        String holder = UUID.randomUUID().toString();
        OpenLedger ledger = OpenLedger.open(source.current(), holder, progress);
        Gateway gateway = new Gateway(source, ledger, holder, loops, patience);
        try {
            gateway.listen(loops);
            ledger.durable().ifPresent(durable -> gateway.work(durable, steps));
        } catch (Exception e) { // await throws a BindException as it is, undeclared
            gateway.close();
            throw e;
        }
        return gateway;
    }

    private void listen(int loops) {
        for (int i = 0; i < loops; i++) {
            var dialect = new OpenAiDialect();
            var plane = new DataPlane(
                    shared,
                    apis(dialect),
                    resources(),
                    List.of(new ModelPages(new AnthropicDialect()), new ModelList(dialect)),
                    dialect,
                    source.current().listen());
            vertx.deployVerticle(plane).await();
            planes.add(plane);
        }
        vertx.deployVerticle(adminPlane).await();
        vertx.setPeriodic(HEARTBEAT_MILLIS, due -> admission.renewHolder(shared.holder()));
    }

    /** Every inference endpoint. */
    private List<Api> apis(OpenAiDialect dialect) {
        var anthropic = new AnthropicDialect();
        var answers = new StoredAnswers(
                kept.map(Kept::places),
                dialect,
                InstantSource.system(),
                () -> source.current().workers().maxResponseBytes());
        return List.of(
                new ChatCompletions(dialect),
                new Completions(dialect),
                new Embeddings(dialect),
                new Responses(dialect, answers, InstantSource.system()),
                new Messages(anthropic),
                new CountTokens(anthropic));
    }

    /** What clients keep here; without a database it says what to configure. */
    private List<Resource> resources() {
        return ledger.durable()
                .<List<Resource>>map(durable -> List.of(
                        new FilesResource(new FileStore(durable.pool(), durable.schema()), shared::nextTask),
                        new BatchesResource(workshop(durable))))
                .orElseGet(() -> List.of(new NotKept("/v1/files"), new NotKept("/v1/batches")));
    }

    /** What batches need. */
    private Workshop workshop(OpenLedger.Durable durable) {
        String schema = durable.schema();
        return new Workshop(
                durable.admission(),
                shared,
                apis(new OpenAiDialect()).stream()
                        .filter(api -> !(api instanceof CountTokens))
                        .collect(Collectors.toMap(Api::path, api -> api)),
                new FileStore(durable.pool(), schema),
                new BatchStore(durable.pool(), schema),
                new BatchLeases(durable.pool(), schema, shared.holder()),
                new LineStore(durable.pool(), schema, shared.holder()));
    }

    private void work(OpenLedger.Durable durable, BiConsumer<Step, UUID> steps) {
        var feeding = new Feeders(workshop(durable));
        var executing = new TaskWorkers(
                durable.admission(),
                new TaskStore(durable.pool(), durable.schema()),
                new JobStore(durable.pool(), durable.schema(), shared.holder()),
                shared,
                planes,
                apis(new OpenAiDialect()).stream().collect(Collectors.toMap(Api::path, api -> api)),
                kept.map(Kept::stages).orElse(Map.of()),
                retention -> kept.isEmpty() ? 0 : kept.get().responses().purgeOlder(retention),
                steps,
                feeding::freed);
        telemetry.tasks(() -> {
            Map<String, Long> byStatus = new TreeMap<>();
            executing
                    .counts()
                    .forEach((state, count) -> byStatus.put(state.name().toLowerCase(Locale.ROOT), count));
            return byStatus;
        });
        executing.start();
        kept.ifPresent(places -> places.watch().start());
        workers = Optional.of(executing);
        feeding.start(durable.database().server().isPresent());
        feeders = Optional.of(feeding);
        deliver(durable);
    }

    private void deliver(OpenLedger.Durable durable) {
        var delivering = new Deliveries(
                vertx,
                new DeliveryStore(durable.pool(), durable.schema()),
                deadLetters(durable),
                ledger.available(),
                source::current,
                InstantSource.system());
        telemetry.webhooks(delivering::counts, delivering::pending, delivering::dead);
        delivering.start();
        deliveries = Optional.of(delivering);
    }

    private static DeadLetterStore deadLetters(OpenLedger.Durable durable) {
        return new DeadLetterStore(durable.pool(), durable.schema());
    }

    private void configure(Configuration changed) {
        shared.configure(changed);
        admission.configure(LedgerPolicies.of(changed));
        planes.forEach(DataPlane::recheck);
        workers.ifPresent(TaskWorkers::configured);
    }

    /** Where clients connect, with the port in use. */
    public ListenAddress listening() {
        return new ListenAddress(
                source.current().listen().host(), planes.getFirst().port());
    }

    /** Where operators connect, with the port in use. */
    public ListenAddress adminListening() {
        return new ListenAddress(source.current().admin().listen().host(), adminPlane.port());
    }

    /** Bytes of request bodies in memory. */
    long bufferedBytes() {
        return shared.bufferedBytes();
    }

    /** The ledger, for what embeds a gateway. */
    public Admission admission() {
        return admission;
    }

    /**
     * Ends in order: new requests and those that wait are refused with {@code shutting_down}, those that run may end
     * within {@code http.drain}, then everything closes.
     */
    public void drain() {
        Duration time = source.current().http().drain();
        shared.drain();
        planes.forEach(DataPlane::drain);
        feeders.ifPresent(Feeders::close);
        workers.ifPresent(TaskWorkers::drain);
        LOG.info(
                "draining: waiting requests are refused, running ones have {} s; queued tasks stay for the next start",
                time.toSeconds());
        if (!idleWithin(time)) {
            LOG.warn("the time to drain is over: what still runs is cut");
            planes.forEach(DataPlane::cut);
            workers.ifPresent(TaskWorkers::close);
            idleWithin(CUT_TIME);
        }
        planes.forEach(DataPlane::stopListening);
        long deaf = System.nanoTime();
        within(
                LAST_ANSWERS,
                () -> sum(DataPlane::lively)
                        .map(count -> count == 0 && System.nanoTime() - deaf > ACCEPTING.toNanos()));
        close();
    }

    private boolean idleWithin(Duration time) {
        return within(
                time,
                () -> running()
                        .map(count ->
                                count == 0 && workers.map(TaskWorkers::running).orElse(0) == 0));
    }

    private boolean within(Duration time, Supplier<Future<Boolean>> reached) {
        CompletableFuture<Boolean> idle = new CompletableFuture<>();
        long start = System.nanoTime();
        vertx.setPeriodic(0, DRAIN_LOOK_MILLIS, timer -> {
            // A loop that is stuck answers nobody, and must not hold up the end either.
            if (System.nanoTime() - start > time.toNanos()) {
                idle.complete(false);
            }
            if (idle.isDone()) {
                vertx.cancelTimer(timer);
            } else {
                reached.get().onSuccess(now -> {
                    if (now) {
                        idle.complete(true);
                    }
                });
            }
        });
        return idle.join();
    }

    private Future<Integer> running() {
        return sum(DataPlane::running);
    }

    /** Connections of clients. */
    int openConnections() {
        return sum(DataPlane::openConnections).await();
    }

    private Future<Integer> sum(Function<DataPlane, Future<Integer>> part) {
        List<Future<Integer>> counts = planes.stream().map(part).toList();
        return Future.all(counts)
                .map(all -> counts.stream().mapToInt(Future::result).sum());
    }

    /** Ends at once. */
    @Override
    public void close() {
        feeders.ifPresent(Feeders::close);
        // First: what it hands back closes upstreams on the event loops.
        workers.ifPresent(TaskWorkers::close);
        deliveries.ifPresent(Deliveries::close);
        kept.ifPresent(places -> places.watch().close());
        try {
            vertx.close().await(CUT_TIME.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("some connections did not close in time");
        }
        // Last: until here releases and hand-overs needed it.
        ledger.close();
    }
}
