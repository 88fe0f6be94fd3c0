package dev.sluice.gateway.tasks;

import dev.sluice.admission.Place;
import dev.sluice.gateway.http.JsonText;
import dev.sluice.postgres.tasks.StoredTask;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.json.JsonMapper;

/** A task as its client sees it. */
final class TaskJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TaskJson() {}

    /** @param place what the ledger knows of it */
    static Buffer of(StoredTask task, Optional<Place> place) {
        var out = new ByteArrayOutputStream();
        Optional<Place> waits = place.filter(Place::waits);
        State state = state(task, place);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("id", task.id().toString());
            json.writeStringProperty("status", state.word());
            json.writeName("position");
            if (waits.isPresent() && state == State.QUEUED) {
                json.writeNumber(waits.get().position());
            } else {
                json.writeNull();
            }
            eta(json, state == State.QUEUED ? waits.flatMap(Place::eta) : Optional.empty());
            json.writeNumberProperty("attempts", task.attempts());
            instant(json, "created_at", Optional.of(task.created()));
            instant(json, "started_at", task.started());
            instant(json, "finished_at", task.finished());
            error(json, task);
            response(json, task.response());
            json.writeEndObject();
        }
        return Buffer.buffer(out.toByteArray());
    }

    /** A task whose worker was lost is in the queue again before another one begins. */
    static State state(StoredTask task, Optional<Place> place) {
        boolean waits = place.filter(Place::waits).isPresent();
        return task.state() == State.RUNNING && waits ? State.QUEUED : task.state();
    }

    /** Where a task stands in the line. */
    static Buffer position(Place place) {
        var out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberProperty("position", place.position());
            eta(json, place.eta());
            json.writeEndObject();
        }
        return Buffer.buffer(out.toByteArray());
    }

    private static void eta(JsonGenerator json, Optional<Duration> eta) {
        json.writeName("eta_seconds");
        if (eta.isPresent()) {
            json.writeNumber(eta.get().toMillis() / 1e3);
        } else {
            json.writeNull();
        }
    }

    private static void instant(JsonGenerator json, String name, Optional<Instant> at) {
        json.writeName(name);
        if (at.isPresent()) {
            json.writeString(at.get().truncatedTo(ChronoUnit.MILLIS).toString());
        } else {
            json.writeNull();
        }
    }

    private static void error(JsonGenerator json, StoredTask task) {
        json.writeName("error");
        Optional<Failure> failure = task.failure();
        if (failure.isEmpty()) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeStringProperty("message", failure.get().message());
        json.writeStringProperty("type", failure.get().type());
        json.writeNullProperty("param");
        json.writeStringProperty("code", failure.get().code());
        json.writeName("upstream_status");
        if (task.response().isPresent()) {
            json.writeNumber(task.response().get().status());
        } else {
            json.writeNull();
        }
        json.writeEndObject();
    }

    /** JSON stays what it is; anything else is a string. */
    private static void response(JsonGenerator json, Optional<Answer> answer) {
        json.writeName("response");
        if (answer.isEmpty()) {
            json.writeNull();
        } else if (JsonText.isOneValue(answer.get().body())) {
            json.writeRawValue(new String(answer.get().body(), StandardCharsets.UTF_8));
        } else {
            json.writeString(new String(answer.get().body(), StandardCharsets.UTF_8));
        }
    }

    /** By hand, and so is the reading: both are done for every task. */
    static String headers(Map<String, String> headers) {
        var json = new StringBuilder("{");
        headers.forEach((name, value) -> {
            quote(json.length() == 1 ? json : json.append(','), name).append(':');
            quote(json, value);
        });
        return json.append('}').toString();
    }

    private static StringBuilder quote(StringBuilder json, String text) {
        JsonStringEncoder.getInstance().quoteAsString(text, json.append('"'));
        return json.append('"');
    }

    static Map<String, String> headers(String json) {
        Map<String, String> headers = new HashMap<>();
        try (JsonParser parser = JSON.tokenStreamFactory().createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                headers.put(name, parser.getString());
            }
        }
        return headers;
    }
}
