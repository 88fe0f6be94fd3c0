package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.call;
import static dev.sluice.gateway.BatchClient.content;
import static dev.sluice.gateway.BatchClient.field;
import static dev.sluice.gateway.BatchClient.get;
import static dev.sluice.gateway.BatchClient.json;
import static dev.sluice.gateway.BatchClient.upload;
import static dev.sluice.gateway.BatchClient.uploaded;
import static dev.sluice.gateway.TaskClient.count;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@DisplayName("A file")
final class FilesTest extends OnDatabase {
    private static final String BATCH = field("purpose", "batch");

    private RunningGateway gateway(String more) {
        return RunningGateway.startOn(
                database, RunningGateway.oneProvider("http://127.0.0.1:9/v1", 4, "{limit: 2, queue: 5}") + more);
    }

    private static String code(Answer answer) {
        return json(answer).path("error").path("code").asString();
    }

    @Test
    void isKeptListedServedByAnotherGatewayAndDeleted() throws Exception {
        // More than one piece, and no round number of them.
        String text = "0123456789abcdef".repeat(70_000) + "end";
        try (RunningGateway gateway = gateway("");
                RunningGateway other = gateway("")) {
            Answer answer = upload(gateway.port(), RunningGateway.KEY, text, BATCH);

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            JsonNode file = json(answer);
            assertThat(file.path("object").asString()).isEqualTo("file");
            assertThat(file.path("bytes").asInt()).isEqualTo(text.length());
            assertThat(file.path("filename").asString()).isEqualTo("in put.jsonl");
            assertThat(file.path("purpose").asString()).isEqualTo("batch");
            assertThat(file.path("status").asString()).isEqualTo("processed");
            assertThat(file.path("expires_at").asLong()
                            - file.path("created_at").asLong())
                    .isEqualTo(720 * 3_600);
            String id = file.path("id").asString();
            assertThat(json(get(other, "/v1/files/" + id))).isEqualTo(file);
            assertThat(content(other, id)).isEqualTo(text);
            assertThat(json(call(other, "DELETE", "/v1/files/" + id, RunningGateway.KEY))
                            .path("deleted")
                            .asBoolean())
                    .isTrue();
            assertThat(get(gateway, "/v1/files/" + id).status()).isEqualTo(404);
            assertThat(count(database, "file_piece")).isZero();
        }
    }

    @Test
    void belongsToItsGroupAlone() throws Exception {
        try (RunningGateway gateway = gateway("")) {
            String id = uploaded(gateway, "{}\n");

            for (String path : List.of("/v1/files/" + id, "/v1/files/" + id + "/content")) {
                assertThat(call(gateway, "GET", path, RunningGateway.OTHER_KEY).status())
                        .isEqualTo(404);
                assertThat(call(gateway, "GET", path, "sk-nobody").status()).isEqualTo(401);
            }
            assertThat(call(gateway, "DELETE", "/v1/files/" + id, RunningGateway.OTHER_KEY)
                            .status())
                    .isEqualTo(404);
            assertThat(json(call(gateway, "GET", "/v1/files", RunningGateway.OTHER_KEY))
                            .path("data"))
                    .isEmpty();
            for (String path : List.of("/v1/files/x", "/v1/files/" + id + "/x", "/v1/files/" + id + "/content/x")) {
                assertThat(get(gateway, path).status()).as(path).isEqualTo(404);
            }
            assertThat(call(gateway, "PUT", "/v1/files", RunningGateway.KEY).header("allow"))
                    .isEqualTo("GET, POST");
            assertThat(content(gateway, id)).isEqualTo("{}\n");
        }
    }

    @Test
    void isListedPageByPageInEitherOrder() throws Exception {
        try (RunningGateway gateway = gateway("")) {
            List<String> ids = List.of(uploaded(gateway, "1"), uploaded(gateway, "2"), uploaded(gateway, "3"));

            JsonNode first = json(get(gateway, "/v1/files?limit=2"));
            assertThat(first.path("has_more").asBoolean()).isTrue();
            assertThat(first.path("first_id").asString()).isEqualTo(ids.get(2));
            assertThat(first.path("last_id").asString()).isEqualTo(ids.get(1));
            JsonNode rest = json(get(gateway, "/v1/files?limit=2&after=" + ids.get(1)));
            assertThat(rest.path("has_more").asBoolean()).isFalse();
            assertThat(rest.path("data")).hasSize(1);
            assertThat(rest.path("last_id").asString()).isEqualTo(ids.get(0));
            assertThat(json(get(gateway, "/v1/files?order=asc&purpose=batch"))
                            .path("first_id")
                            .asString())
                    .isEqualTo(ids.get(0));
            assertThat(json(get(gateway, "/v1/files?purpose=batch_output")).path("data"))
                    .isEmpty();
            assertThat(json(get(gateway, "/v1/files?purpose=vision")).path("data"))
                    .isEmpty();
            for (String wrong : List.of(
                    "limit=0", "limit=x", "limit=10001", "order=up", "after=nothing", "after=file-" + "0".repeat(32))) {
                Answer refused = get(gateway, "/v1/files?" + wrong);
                assertThat(refused.status()).as(wrong).isEqualTo(400);
                assertThat(json(refused).path("error").path("param").asString())
                        .isEqualTo(wrong.substring(0, wrong.indexOf('=')));
            }
        }
    }

    @Test
    void thatIsTooLargeIsRefusedBeforeAndWhileItComes() throws Exception {
        try (RunningGateway gateway = gateway("files: {max-size: 1MiB}\n")) {
            Answer announced = upload(gateway.port(), RunningGateway.KEY, "x".repeat(1_300_000), BATCH);
            Answer noticed = upload(gateway.port(), RunningGateway.KEY, "x".repeat((1 << 20) + 1), BATCH);
            Answer fits = upload(gateway.port(), RunningGateway.KEY, "x".repeat(1 << 20), BATCH);

            for (Answer refused : List.of(announced, noticed)) {
                assertThat(refused.status()).as(refused.body()).isEqualTo(413);
                assertThat(code(refused)).isEqualTo("request_too_large");
            }
            assertThat(fits.status()).isEqualTo(200);
            await("nothing of the refused ones is left")
                    .atMost(10, SECONDS)
                    .until(() -> count(database, "file") == 1 && count(database, "file_piece") == 2);
        }
    }

    @Test
    void isRefusedWhenItsGroupWouldHaveTooMuch() throws Exception {
        try (RunningGateway gateway = gateway("files: {quota: 1MiB}\n")) {
            String first = uploaded(gateway, "x".repeat(700_000));

            Answer refused = upload(gateway.port(), RunningGateway.KEY, "x".repeat(700_000), BATCH);

            assertThat(refused.status()).isEqualTo(403);
            assertThat(code(refused)).isEqualTo("quota_exceeded");
            assertThat(json(refused).path("error").path("message").asString()).contains("1048576 bytes");
            assertThat(upload(gateway.port(), RunningGateway.OTHER_KEY, "x".repeat(700_000), BATCH)
                            .status())
                    .isEqualTo(200);
            call(gateway, "DELETE", "/v1/files/" + first, RunningGateway.KEY);
            await("there is room again").atMost(10, SECONDS).until(() -> count(database, "file") == 1);
            uploaded(gateway, "x".repeat(700_000));
        }
    }

    @Test
    void ofTheWrongFormIsRefusedWithTheFieldThatIsWrong() throws Exception {
        try (RunningGateway gateway = gateway("")) {
            assertThat(param(upload(gateway.port(), RunningGateway.KEY, "x", "")))
                    .isEqualTo("purpose");
            assertThat(param(upload(gateway.port(), RunningGateway.KEY, "x", field("purpose", "vision"))))
                    .isEqualTo("purpose");
            assertThat(param(upload(gateway.port(), RunningGateway.KEY, "", BATCH)))
                    .isEqualTo("file");
            assertThat(param(upload(
                            gateway.port(),
                            RunningGateway.KEY,
                            "x",
                            BATCH
                                    + field("expires_after[anchor]", "created_at")
                                    + field("expires_after[seconds]", "5"))))
                    .isEqualTo("expires_after");
            assertThat(json(upload(
                                    gateway.port(),
                                    RunningGateway.KEY,
                                    "x",
                                    field("expires_after[anchor]", "created_at")
                                            + field("expires_after[seconds]", "3600")
                                            + BATCH))
                            .path("status")
                            .asString())
                    .isEqualTo("processed");
            Answer json = RawClient.exchange(
                    gateway.port(), RawClient.post("/v1/files", RunningGateway.KEY, "{\"purpose\":\"batch\"}", ""));
            assertThat(json.status()).isEqualTo(415);
            for (String boundary : List.of("", "\"\"", " ; x=y")) {
                assertThat(RawClient.exchange(
                                        gateway.port(),
                                        RawClient.post("/v1/files", RunningGateway.KEY, "x", "")
                                                .replace(
                                                        "application/json",
                                                        "multipart/form-data; boundary=" + boundary))
                                .status())
                        .as(boundary)
                        .isEqualTo(415);
            }
            Answer query = RawClient.exchange(
                    gateway.port(),
                    "GET /v1/files?limit=%zz HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + RunningGateway.KEY
                            + "\r\n\r\n");
            assertThat(query.status()).isEqualTo(400);
            assertThat(count(database, "file")).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {
                // no end of the body, of the part, of its head
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nx",
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nx\r\n--b0",
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n",
                "--b0\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch",
                // heads that mean nothing
                "--b0\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-disposition: form-data; filename=\"f\"\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-disposition: form-data; name=\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n"
                        + "content-type: text/plain; charset=no-such\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n"
                        + "content-transfer-encoding: morse\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename*=x''%zz\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n"
                        + "content-length: many\r\n\r\nx\r\n--b0--\r\n",
                "--b0\r\ncontent-type: multipart/mixed\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b0--\r\n",
                // no multipart body at all
                "",
                "x",
                "--b0--\r\n",
                "\0\0\0"
            })
    void thatArrivesBrokenIsAnswered(String body) throws Exception {
        try (RunningGateway gateway = gateway("")) {
            Answer answer = RawClient.exchange(
                    gateway.port(),
                    RawClient.post("/v1/files", RunningGateway.KEY, body, "")
                            .replace("application/json", "multipart/form-data; boundary=b0"));

            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(code(answer)).isEqualTo("invalid_request");
            assertThat(count(database, "file")).isZero();
            uploaded(gateway, "{}\n");
        }
    }

    private static String param(Answer refused) {
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        return json(refused).path("error").path("param").asString();
    }

    @Test
    void whoseClientLeavesInTheMiddleIsForgotten() throws Exception {
        try (RunningGateway gateway = gateway("")) {
            try (RawClient client = RawClient.connect(gateway.port())) {
                client.send("POST /v1/files HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + RunningGateway.KEY
                        + "\r\ncontent-type: multipart/form-data; boundary=b0\r\ncontent-length: 5000000\r\n\r\n"
                        + BATCH
                        + "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"
                        + "x".repeat(1_500_000));
                await("pieces are written").atMost(10, SECONDS).until(() -> count(database, "file_piece") >= 2);
                assertThat(json(get(gateway, "/v1/files")).path("data")).isEmpty();
                client.reset();
            }
            await("it is gone").atMost(10, SECONDS).until(() -> count(database, "file") == 0);
        }
    }

    @Test
    void needsADatabase() throws IOException {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}"))) {
            for (String path : List.of("/v1/files", "/v1/batches")) {
                Answer refused = get(gateway, path);

                assertThat(refused.status()).isEqualTo(400);
                assertThat(json(refused).path("error").path("message").asString())
                        .contains("database.mode");
            }
        }
    }
}
