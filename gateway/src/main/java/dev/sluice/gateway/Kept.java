package dev.sluice.gateway;

import dev.sluice.gateway.responses.BackgroundStage;
import dev.sluice.gateway.responses.StoredAnswers;
import dev.sluice.gateway.tasks.KeptTasks;
import dev.sluice.gateway.tasks.Show;
import dev.sluice.gateway.tasks.Watch;
import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.tasks.TaskStore;
import java.util.Map;

/** Everything that stands in the database beside the ledger, as its users see it. */
record Kept(KeptTasks tasks, ResponseStore responses, EventStore events, Watch watch, String holder) {
    private static final String RESPONSES = "/v1/responses";

    static Kept on(OpenLedger.Durable durable, String holder) {
        var tasks = new TaskStore(durable.pool(), durable.schema());
        var responses = new ResponseStore(durable.pool(), durable.schema());
        var events = new EventStore(durable.pool(), durable.schema());
        var watch = new Watch(tasks, events);
        return new Kept(new KeptTasks(durable.admission(), tasks, responses, watch), responses, events, watch, holder);
    }

    StoredAnswers.Places places() {
        return new StoredAnswers.Places(responses, events, tasks, watch);
    }

    /** What is shown of an execution beside its end, by path. */
    Map<String, Show.Stage> stages() {
        return Map.of(RESPONSES, new BackgroundStage(responses, events, holder));
    }
}
