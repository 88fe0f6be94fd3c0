package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Errand.Ended;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.tasks.Show;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One execution whose events are written down as they come. Its own opening stands for the upstream's, and the last
 * event follows from the answer: whoever follows the response makes that from how the task ended.
 */
final class StreamedShow implements Show {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedShow.class);
    private static final Set<String> OPENING = Set.of("response.created", "response.queued", "response.in_progress");

    private final Identity identity;
    private final EventWriter writer;
    private final EventReader reader = new EventReader(Integer.MAX_VALUE, (name, data) -> read(data));
    private final Deque<ObjectNode> events = new ArrayDeque<>();
    private List<Buffer> heard = new ArrayList<>();
    private @Nullable ObjectNode answer;
    private Optional<String> error = Optional.empty();

    StreamedShow(Identity identity, EventWriter writer) {
        this.identity = identity;
        this.writer = writer;
    }

    /** Says that work has begun; for a later attempt, that what came before is void. */
    void opens() throws SQLException {
        ObjectNode event = Json.object().put("type", "response.in_progress");
        event.set("response", identity.inProgress());
        writer.add(event);
        writer.flush();
    }

    @Override
    public synchronized void heard(Buffer bytes) {
        heard.add(bytes);
    }

    private synchronized List<Buffer> drain() {
        List<Buffer> all = heard;
        heard = new ArrayList<>();
        return all;
    }

    private void read(byte[] data) {
        Json.object(data).ifPresent(events::add);
    }

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public boolean write() {
        try {
            return writeDown();
        } catch (SQLException e) {
            // It is all kept in memory, up to the largest answer, and written with what comes next.
            LOG.warn("events of a response could not be written, trying again: {}", e.toString());
            return true;
        }
    }

    private boolean writeDown() throws SQLException {
        drain().forEach(reader::feed);
        while (!events.isEmpty()) {
            ObjectNode event = events.remove();
            String type = event.path("type").asString("");
            if (event.path("response") instanceof ObjectNode response) {
                identity.on(response);
                if (AnswerRecording.TERMINAL.contains(type)) {
                    answer = ResponseObject.hasEnded(response)
                            ? response
                            : response.put("status", type.substring("response.".length()));
                }
            }
            if (type.equals("error")) {
                error = Optional.of(event.path("message").asString("it says no more"));
            } else if (!OPENING.contains(type) && !AnswerRecording.TERMINAL.contains(type)) {
                writer.add(event);
            }
        }
        return writer.flush();
    }

    @Override
    public Ended ended(Ended ended) throws SQLException {
        if (!(ended instanceof Ended.Answered answered) || answered.status() / 100 != 2) {
            return ended;
        }
        String type = Objects.requireNonNullElse(answered.headers().get(HttpHeaders.CONTENT_TYPE), "");
        if (!type.startsWith("text/event-stream")) {
            return Json.object(answered.body())
                    .map(object -> whole(ResponseObject.ended(identity.on(object), "completed")))
                    .orElse(ended);
        }
        // What followers have not been shown must be there before they can see that it has ended.
        writeDown();
        ObjectNode made = answer;
        if (made != null) {
            return whole(made);
        }
        String why = error.map(message -> "The upstream ended its answer with an error: " + message)
                .orElse("The upstream's answer ended before its last event.");
        return new Ended.Failed(Problem.of(Fault.UPSTREAM_ERROR, why), true);
    }

    private static Ended whole(ObjectNode response) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().set(HttpHeaders.CONTENT_TYPE, "application/json");
        return new Ended.Answered(200, headers, Json.bytes(response), false);
    }
}
