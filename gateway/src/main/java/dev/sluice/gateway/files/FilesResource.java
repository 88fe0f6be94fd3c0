package dev.sluice.gateway.files;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Resource;
import dev.sluice.gateway.http.ResourceCall;
import dev.sluice.postgres.files.FileStore;
import dev.sluice.postgres.files.StoredFile;
import dev.sluice.postgres.files.StoredFile.Purpose;
import io.vertx.core.http.HttpMethod;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** {@code /v1/files}. */
public final class FilesResource implements Resource {
    private static final String PATH = "/v1/files";
    private static final int LISTED_MAX = 10_000;

    private final FileStore store;
    private final Supplier<UUID> ids;

    /** @param ids makes ids of new files */
    public FilesResource(FileStore store, Supplier<UUID> ids) {
        this.store = store;
        this.ids = ids;
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public void accept(ResourceCall call) {
        List<String> below = call.below();
        switch (below.size()) {
            case 0 -> collection(call);
            case 1 -> one(call, below.getFirst());
            case 2 -> content(call, below);
            default -> call.refuse(unknown());
        }
    }

    private void collection(ResourceCall call) {
        if (call.method().equals(HttpMethod.POST)) {
            new Upload(store, ids.get(), call).begin();
        } else if (call.method().equals(HttpMethod.GET)) {
            list(call);
        } else {
            call.refuseMethod("GET, POST");
        }
    }

    private void list(ResourceCall call) {
        Optional<String> asked = call.query("purpose");
        Optional<Purpose> purpose = asked.flatMap(FilesResource::purpose);
        switch (Paging.of(call, FileIds.FILE, LISTED_MAX, LISTED_MAX)) {
            case Paging.Wrong wrong -> call.refuse(wrong.problem());
            case Paging.Page page ->
                call.offLoop(
                        () -> listed(call.group().id(), asked.isPresent(), purpose, page),
                        files -> files.ifPresentOrElse(
                                found -> call.answer(FileJson.list(found, page.limit())),
                                () -> call.refuse(Paging.unknownAfter())));
        }
    }

    /** One more than the page takes if there are more; empty if the file is unknown that the page is to follow. */
    private Optional<List<StoredFile>> listed(
            String group, boolean isAsked, Optional<Purpose> purpose, Paging.Page page) throws SQLException {
        if (page.after().isPresent() && store.find(page.after().get(), group).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                isAsked && purpose.isEmpty()
                        ? List.of()
                        : store.list(group, purpose, page.after(), page.ascending(), page.limit() + 1));
    }

    private static Optional<Purpose> purpose(String word) {
        for (Purpose purpose : Purpose.values()) {
            if (purpose.name().toLowerCase(Locale.ROOT).equals(word)) {
                return Optional.of(purpose);
            }
        }
        return Optional.empty();
    }

    private void one(ResourceCall call, String id) {
        call.countAs(PATH + "/{id}");
        Optional<UUID> file = FileIds.FILE.id(id);
        boolean get = call.method().equals(HttpMethod.GET);
        if (!get && !call.method().equals(HttpMethod.DELETE)) {
            call.refuseMethod("GET, DELETE");
        } else if (file.isEmpty()) {
            call.refuse(unknown());
        } else if (get) {
            call.offLoop(
                    () -> store.find(file.get(), call.group().id()),
                    found -> found.ifPresentOrElse(
                            shown -> call.answer(FileJson.of(shown)), () -> call.refuse(unknown())));
        } else {
            call.offLoop(() -> store.delete(file.get(), call.group().id()), deletion -> {
                switch (deletion) {
                    case DELETED -> call.answer(FileJson.deleted(id));
                    case UNKNOWN -> call.refuse(unknown());
                    case IN_USE ->
                        call.refuse(Problem.of(
                                        Fault.WRONG_STATE,
                                        "A batch that has not ended reads this file. Cancel the batch, or wait for it.")
                                .noRetry());
                }
            });
        }
    }

    private void content(ResourceCall call, List<String> below) {
        call.countAs(PATH + "/{id}/content");
        Optional<UUID> file = FileIds.FILE.id(below.getFirst());
        if (file.isEmpty() || !below.getLast().equals("content")) {
            call.refuse(unknown());
        } else if (!call.method().equals(HttpMethod.GET)) {
            call.refuseMethod("GET");
        } else {
            call.offLoop(
                    () -> store.find(file.get(), call.group().id()),
                    found -> found.ifPresentOrElse(
                            shown -> new Download(store, shown, call).begin(), () -> call.refuse(unknown())));
        }
    }

    private static Problem unknown() {
        return Problem.of(Fault.NOT_FOUND, "There is no such file, or its time to be kept is over.");
    }
}
