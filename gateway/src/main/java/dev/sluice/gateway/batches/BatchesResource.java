package dev.sluice.gateway.batches;

import dev.sluice.admission.Eviction;
import dev.sluice.gateway.files.FileIds;
import dev.sluice.gateway.files.Paging;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Resource;
import dev.sluice.gateway.http.ResourceCall;
import dev.sluice.postgres.batches.BatchStore;
import dev.sluice.postgres.batches.NewBatch;
import dev.sluice.postgres.batches.StoredBatch;
import dev.sluice.postgres.batches.StoredBatch.State;
import io.vertx.core.http.HttpMethod;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** {@code /v1/batches}. */
public final class BatchesResource implements Resource {
    private static final String PATH = "/v1/batches";
    private static final int BODY_BYTES_MAX = 256 << 10;
    private static final int LISTED = 20;
    private static final int LISTED_MAX = 100;

    private final Workshop shop;
    private final BatchStore store;

    public BatchesResource(Workshop shop) {
        this.shop = shop;
        this.store = shop.batches();
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public void accept(ResourceCall call) {
        List<String> below = call.below();
        boolean post = call.method().equals(HttpMethod.POST);
        boolean get = call.method().equals(HttpMethod.GET);
        if (below.isEmpty()) {
            if (post) {
                call.readJson(BODY_BYTES_MAX, body -> create(call, body.getBytes()));
            } else if (get) {
                list(call);
            } else {
                call.refuseMethod("GET, POST");
            }
            return;
        }
        Optional<UUID> batch = FileIds.BATCH.id(below.getFirst());
        boolean cancels = below.size() == 2 && below.getLast().equals("cancel");
        call.countAs(cancels ? PATH + "/{id}/cancel" : PATH + "/{id}");
        if (batch.isEmpty() || below.size() > 2 || (below.size() == 2 && !cancels)) {
            call.refuse(unknown());
        } else if (cancels ? !post : !get) {
            call.refuseMethod(cancels ? "POST" : "GET");
        } else if (cancels) {
            cancel(call, batch.get());
        } else {
            call.offLoop(
                    () -> store.find(batch.get(), call.group().id()),
                    found -> found.ifPresentOrElse(
                            shown -> call.answer(BatchJson.of(shown)), () -> call.refuse(unknown())));
        }
    }

    private void create(ResourceCall call, byte[] body) {
        switch (BatchRequest.read(body, shop.apis().keySet())) {
            case BatchRequest.Wrong wrong -> call.refuse(wrong.problem());
            case BatchRequest.Good good -> {
                OptionalInt priority =
                        call.priority(call.configuration().batches().priorityOffset());
                if (priority.isPresent() && call.mayNameItsWebhook()) {
                    create(call, good, priority.getAsInt());
                }
            }
        }
    }

    private void create(ResourceCall call, BatchRequest.Good asked, int priority) {
        var batch = new NewBatch(
                shop.shared().nextTask(),
                call.group().id(),
                asked.endpoint(),
                asked.input(),
                asked.window(),
                asked.time(),
                priority,
                asked.metadata(),
                asked.outputLife(),
                call.webhook());
        call.offLoop(
                () -> store.insert(batch),
                kept -> kept.ifPresentOrElse(
                        shown -> call.answer(BatchJson.of(shown)), () -> call.refuse(BatchRequest.unknownFile())));
    }

    private void list(ResourceCall call) {
        switch (Paging.of(call, FileIds.BATCH, LISTED, LISTED_MAX)) {
            case Paging.Wrong wrong -> call.refuse(wrong.problem());
            case Paging.Page page ->
                call.offLoop(
                        () -> listed(call.group().id(), page),
                        batches -> batches.ifPresentOrElse(
                                found -> call.answer(BatchJson.list(found, page.limit())),
                                () -> call.refuse(Paging.unknownAfter())));
        }
    }

    /** One more than the page takes if there are more; empty if the batch is unknown that the page is to follow. */
    private Optional<List<StoredBatch>> listed(String group, Paging.Page page) throws SQLException {
        if (page.after().isPresent() && store.find(page.after().get(), group).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(store.list(group, page.after(), page.limit() + 1));
    }

    private void cancel(ResourceCall call, UUID batch) {
        call.offLoop(() -> cancelled(batch, call.group().id()), found -> {
            if (found.isEmpty()) {
                call.refuse(unknown());
            } else if (found.get().state() == State.CANCELLING || found.get().state() == State.CANCELLED) {
                call.answer(BatchJson.of(found.get()));
            } else {
                call.refuse(Problem.of(
                                Fault.WRONG_STATE,
                                "The batch is " + found.get().state().name().toLowerCase(Locale.ROOT)
                                        + ": there is nothing left to cancel.")
                        .noRetry());
            }
        });
    }

    /** Whoever feeds it, its lines are ended at once; the one who feeds it does the rest. */
    private Optional<StoredBatch> cancelled(UUID batch, String group) throws SQLException {
        if (store.find(batch, group).isPresent() && store.cancel(batch)) {
            shop.lines().cancelOpen(batch).forEach(line -> shop.admission().evict(line, Eviction.CANCELLED));
        }
        return store.find(batch, group);
    }

    private static Problem unknown() {
        return Problem.of(Fault.NOT_FOUND, "There is no such batch, or its time to be kept is over.");
    }
}
