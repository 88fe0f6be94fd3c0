package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Errand.Ended;
import dev.sluice.gateway.tasks.Show;
import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.responses.StoredResponse;
import dev.sluice.postgres.tasks.Job;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Executions of responses in the background: their answers are made the gateway's own, their events written down. */
public final class BackgroundStage implements Show.Stage {
    private final ResponseStore responses;
    private final EventStore events;
    private final String worker;

    /** @param worker names this process among all that execute */
    public BackgroundStage(ResponseStore responses, EventStore events, String worker) {
        this.responses = responses;
        this.events = events;
        this.worker = worker;
    }

    @Override
    public Show begin(Job job) throws SQLException {
        Optional<StoredResponse> made = responses.madeBy(job.task());
        if (made.isEmpty()) {
            return Show.NONE;
        }
        return new Findable(show(made.get(), job), job.task());
    }

    private Show show(StoredResponse made, Job job) throws SQLException {
        ObjectNode shown = Json.object(made.body()).orElseThrow();
        var identity = new Identity(ResponseObject.id(job.task()), shown);
        if (!made.streamed()) {
            return new Whole(identity);
        }
        var written = new EventWriter(events, job, worker, events.next(job.task()));
        var show = new StreamedShow(identity, written);
        show.opens();
        return show;
    }

    /** The items of the answer can be referred to as soon as it is there. */
    private final class Findable implements Show {
        private final Show show;
        private final UUID task;

        Findable(Show show, UUID task) {
            this.show = show;
            this.task = task;
        }

        @Override
        public void heard(Buffer bytes) {
            show.heard(bytes);
        }

        @Override
        public boolean writes() {
            return show.writes();
        }

        @Override
        public boolean write() throws SQLException {
            return show.write();
        }

        @Override
        public Ended ended(Ended ended) throws SQLException {
            Ended shown = show.ended(ended);
            if (shown instanceof Ended.Answered answered && answered.status() / 100 == 2) {
                Optional<ObjectNode> object = Json.object(answered.body());
                if (object.isPresent()) {
                    responses.answered(task, References.ids(object.get()));
                }
            }
            return shown;
        }
    }

    /** A response that is shown in one piece. */
    private record Whole(Identity identity) implements Show {
        @Override
        public Ended ended(Ended ended) {
            if (ended instanceof Ended.Answered answered && answered.status() / 100 == 2) {
                return Json.object(answered.body())
                        .map(object -> ResponseObject.ended(identity.on(object), "completed"))
                        .<Ended>map(object -> new Ended.Answered(200, answered.headers(), Json.bytes(object), false))
                        .orElse(answered);
            }
            return ended;
        }
    }
}
