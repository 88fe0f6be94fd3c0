package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.call;
import static dev.sluice.gateway.TaskClient.filed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The events of a task")
final class TaskEventsTest extends OnDatabase {
    private record Event(String name, String id, JsonNode data) {}

    private RunningGateway gateway(RawUpstream upstream) {
        return gateway(upstream, "{limit: 1, queue: 5}", "");
    }

    private static String request(String task, String headers) {
        return "GET /v1/tasks/" + task + "/events HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + RunningGateway.KEY
                + "\r\n" + headers + "\r\n";
    }

    private static List<Event> events(String stream) {
        List<Event> events = new ArrayList<>();
        for (String event : stream.split("\n\n")) {
            String name = "";
            String id = "";
            String data = "{}";
            for (String line : event.lines().toList()) {
                String value = line.substring(line.indexOf(':') + 2);
                switch (line.substring(0, line.indexOf(':'))) {
                    case "event" -> name = value;
                    case "id" -> id = value;
                    case "data" -> data = value;
                    default -> throw new AssertionError(line);
                }
            }
            events.add(new Event(name, id, JsonMapper.shared().readTree(data)));
        }
        return events;
    }

    private static String rest(RawClient client) throws IOException {
        StringBuilder rest = new StringBuilder();
        for (String chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
            rest.append(chunk);
        }
        return rest.toString();
    }

    @Test
    void tellStatesPositionsAndTheEndAtAnyGateway() throws Exception {
        var first = new CountDownLatch(1);
        var second = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    (call.head().contains("first") ? first : second).await(30, SECONDS);
                    call.json(200, "{\"a\":1}");
                });
                RunningGateway gateway = gateway(upstream);
                RunningGateway other = gateway(upstream);
                RawClient client = RawClient.connect(other.port())) {
            String ahead = TaskClient.json(TaskClient.file(gateway, "user-agent: first\r\n"))
                    .path("id")
                    .asString();
            awaitStatus(gateway, ahead, "running");
            String task = filed(gateway);
            client.send(request(task, ""));
            Answer head = client.head();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("content-type")).startsWith("text/event-stream");
            StringBuilder told = new StringBuilder();
            while (!told.toString().contains("event: position")) {
                told.append(client.chunk());
            }
            first.countDown();
            while (!told.toString().contains("\"running\"")) {
                told.append(client.chunk());
            }
            second.countDown();
            told.append(rest(client));

            List<Event> events = events(told.toString());
            assertThat(events.stream().map(Event::name).distinct()).containsExactly("state", "position", "end");
            assertThat(events.getFirst().data().path("status").asString()).isEqualTo("queued");
            assertThat(events.getFirst().data().path("id").asString()).isEqualTo(task);
            assertThat(events.get(1).data().path("position").asInt()).isEqualTo(1);
            assertThat(events.get(1).data().has("eta_seconds")).isTrue();
            assertThat(events.get(1).id()).isEmpty();
            assertThat(events.getLast().data().path("status").asString()).isEqualTo("succeeded");
            assertThat(events.stream().map(Event::id).filter(id -> !id.isEmpty()))
                    .containsExactly("queued-0", "running-1", "succeeded-1");
        }
    }

    @Test
    void goOnBehindTheLastOneThatIsKnown() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream)) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "succeeded");

            String missed = RawClient.exchange(gateway.port(), request(task, "last-event-id: running-1\r\n"))
                    .body();
            String nothing = RawClient.exchange(gateway.port(), request(task, "last-event-id: succeeded-1\r\n"))
                    .body();

            assertThat(events(missed)).extracting(Event::name).containsExactly("end");
            assertThat(nothing).isEmpty();
        }
    }

    @Test
    void endWithTheCancellationOfTheTask() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream);
                RawClient client = RawClient.connect(gateway.port())) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "running");
            client.send(request(task, ""));
            client.head();
            assertThat(client.chunk()).contains("id: running-1");

            call(gateway, "DELETE", task, RunningGateway.KEY);

            assertThat(events(rest(client)).getLast().data().path("status").asString())
                    .isEqualTo("cancelled");
        }
    }

    @Test
    void areForTheGroupAloneAndAreCutWhenTheGatewayStops() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream);
                RawClient client = RawClient.connect(gateway.port())) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "running");

            assertThat(call(gateway, "GET", task + "/events", RunningGateway.OTHER_KEY)
                            .status())
                    .isEqualTo(404);
            assertThat(call(gateway, "GET", task.replace('0', '1') + "/events", RunningGateway.KEY)
                            .status())
                    .isEqualTo(404);
            for (String none : List.of("events", "/events", "events/events")) {
                assertThat(call(gateway, "GET", none, RunningGateway.KEY).status())
                        .as(none)
                        .isEqualTo(404);
            }
            assertThat(call(gateway, "DELETE", task + "/events", RunningGateway.KEY)
                            .status())
                    .isEqualTo(405);
            client.send(request(task, ""));
            client.head();
            client.chunk();
            gateway.close();
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void reachManyFollowersOfOneTask() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream)) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "running");
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                RawClient client = RawClient.connect(gateway.port());
                clients.add(client.send(request(task, "")));
                client.head();
                assertThat(client.chunk()).contains("running-1");
            }

            call(gateway, "DELETE", task, RunningGateway.KEY);

            for (RawClient client : clients) {
                assertThat(rest(client)).contains("event: end", "\"cancelled\"");
                client.close();
            }
            await().atMost(10, SECONDS).until(() -> upstream.running() == 0);
        }
    }
}
