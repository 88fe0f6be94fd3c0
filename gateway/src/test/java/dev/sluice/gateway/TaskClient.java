package dev.sluice.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.postgres.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files, looks at and cancels tasks as a client of the group research. */
final class TaskClient {
    static final String BODY = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    static final String ASYNC = "prefer: respond-async\r\n";

    private TaskClient() {}

    static Answer file(RunningGateway gateway, String headers) throws IOException {
        return RawClient.exchange(gateway.port(), RawClient.chat(RunningGateway.KEY, BODY, ASYNC + headers));
    }

    /** The id of a new task. */
    static String filed(RunningGateway gateway) throws IOException {
        Answer answer = file(gateway, "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        return json(answer).path("id").asString();
    }

    static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    static Answer call(RunningGateway gateway, String method, String task, String key) throws IOException {
        return RawClient.exchange(
                gateway.port(),
                method + " /v1/tasks/" + task + " HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + key + "\r\n\r\n");
    }

    static JsonNode show(RunningGateway gateway, String task) throws IOException {
        Answer answer = call(gateway, "GET", task, RunningGateway.KEY);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    static String status(RunningGateway gateway, String task) throws IOException {
        return show(gateway, task).path("status").asString();
    }

    static JsonNode awaitStatus(RunningGateway gateway, String task, String status) throws IOException {
        await("the task is " + status).atMost(20, SECONDS).until(() -> status(gateway, task), status::equals);
        return show(gateway, task);
    }

    static Answer operator(RunningGateway gateway, String method, String path, String body) throws IOException {
        return RawClient.exchange(
                gateway.adminPort(),
                method + ' ' + path + " HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer operator\r\n"
                        + "content-length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Rows, for example of {@code job where picked is null}. */
    static int count(TestDatabase database, String what) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + what)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** No slot may leak, here or in the database. */
    static void awaitNothingHeld(RunningGateway gateway, TestDatabase database) {
        gateway.awaitIdle();
        await("no row of the ledger is left")
                .atMost(5, SECONDS)
                .until(() -> count(database, "job") + count(database, "active") + count(database, "waiting") == 0);
    }
}
