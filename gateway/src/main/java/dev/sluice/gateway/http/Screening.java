package dev.sluice.gateway.http;

import dev.sluice.gateway.http.KeptAnswers.Prepared;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * From the bytes of a body to what the ledger can be asked for: read, routed, made complete, fitted to the providers,
 * measured. On one event loop, but for what takes longer.
 */
final class Screening {
    private static final int OFF_LOOP_BYTES = 256 << 10;
    /** What completing a request may add to a body that is as large as it may be. */
    private static final int ADDED_BYTES_MAX = 64;

    /** Who waits for the outcome, of which there is one, or none if it no longer waits. */
    interface Waiting {
        boolean waits();

        /** The model that it asks for, whether there is one or not. */
        void names(String model);

        void passed(Screened screened);

        void refused(Problem problem);

        /** Runs a step whose failure is this request's. */
        void guarded(Runnable step);
    }

    /**
     * What passed.
     *
     * @param unfit providers that cannot take it
     */
    record Screened(
            Route route,
            InferenceRequest request,
            boolean isLong,
            Set<String> unfit,
            Optional<Recording> recording,
            Optional<Filing.Background> background) {}

    private final Lane lane;
    private final Api api;
    private final Tenant caller;
    private final boolean async;
    private final Waiting client;
    private Optional<Recording> recording = Optional.empty();
    private Optional<Filing.Background> background = Optional.empty();
    private Set<String> unfit = Set.of();

    Screening(Lane lane, Api api, Tenant caller, boolean async, Waiting client) {
        this.lane = lane;
        this.api = api;
        this.caller = caller;
        this.async = async;
        this.client = client;
    }

    void read(byte[] bytes) {
        offLoopIf(bytes.length > OFF_LOOP_BYTES, () -> api.read(bytes), reading -> {
            switch (reading) {
                case Reading.Invalid invalid -> client.refused(invalid.problem());
                case InferenceRequest valid -> route(valid);
            }
        });
    }

    private void route(InferenceRequest valid) {
        client.names(valid.model());
        Optional<Route> found = lane.switchboard().route(valid.model());
        if (found.isEmpty()) {
            client.refused(Problems.unknownModel(valid.model()));
        } else if (!caller.mayUse(found.get())) {
            client.refused(
                    Problems.modelNotAllowed(valid.model(), caller.group().id()));
        } else if (api.kept().isEmpty()) {
            fit(found.get(), valid);
        } else {
            prepare(api.kept().get(), found.get(), valid);
        }
    }

    private void prepare(KeptAnswers kept, Route route, InferenceRequest valid) {
        offLoopIf(
                valid.body().length > OFF_LOOP_BYTES,
                () -> kept.prepare(caller.group().id(), valid, async),
                stage -> stage.whenComplete((prepared, outage) -> lane.run(() -> client.guarded(() -> {
                    if (!client.waits()) {
                        return;
                    }
                    if (prepared == null) {
                        client.refused(Refusals.unavailable());
                    } else {
                        prepared(route, valid, prepared);
                    }
                }))));
    }

    private void prepared(Route route, InferenceRequest valid, Prepared prepared) {
        switch (prepared) {
            case Prepared.Refused refused -> client.refused(refused.problem());
            case Prepared.Ready ready -> {
                int length = ready.request().body().length;
                if (length > lane.bodyBytesMax() && length > valid.body().length + ADDED_BYTES_MAX) {
                    client.refused(Problems.tooLong(lane.bodyBytesMax()));
                    return;
                }
                recording = Optional.of(ready.recording());
                background = ready.background();
                fit(route, ready.request());
            }
        }
    }

    private void fit(Route route, InferenceRequest valid) {
        Set<String> foreign = lane.switchboard().foreign(route, api.upstreamPath());
        if (foreign.isEmpty()) {
            measure(route, valid);
            return;
        }
        offLoopIf(
                valid.body().length > OFF_LOOP_BYTES,
                () -> Fit.of(route, foreign, api.upstreamPath(), valid.body()),
                fit -> {
                    switch (fit) {
                        case Fit.None none -> client.refused(none.problem());
                        case Fit.Avoiding(Set<String> providers) -> {
                            unfit = providers;
                            measure(route, valid);
                        }
                    }
                });
    }

    private void measure(Route route, InferenceRequest valid) {
        switch (api.size(valid, route.model().longContextTokens())) {
            case Api.Size.Known known -> pass(route, valid, known.isLong());
            case Api.Size.Count count ->
                offLoopIf(true, count.isLong()::getAsBoolean, isLong -> pass(route, valid, isLong));
        }
    }

    private void pass(Route route, InferenceRequest valid, boolean isLong) {
        client.passed(new Screened(route, valid, isLong, unfit, recording, background));
    }

    /** Nothing is said to a client that no longer waits. */
    private <T> void offLoopIf(boolean large, Callable<T> work, Consumer<T> then) {
        if (!large) {
            T result;
            try {
                result = work.call();
            } catch (RuntimeException bug) {
                throw bug;
            } catch (Exception bug) {
                throw new IllegalStateException(bug);
            }
            if (client.waits()) {
                then.accept(result);
            }
            return;
        }
        lane.context()
                .executeBlocking(work, false)
                .onComplete(
                        result -> client.guarded(() -> {
                            if (client.waits()) {
                                then.accept(result);
                            }
                        }),
                        bug -> client.refused(Problems.internal()));
    }
}
