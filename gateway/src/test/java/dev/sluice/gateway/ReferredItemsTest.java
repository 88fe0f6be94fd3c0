package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.ResponsesClient.answer;
import static dev.sluice.gateway.ResponsesClient.awaitStatus;
import static dev.sluice.gateway.ResponsesClient.background;
import static dev.sluice.gateway.ResponsesClient.create;
import static dev.sluice.gateway.ResponsesClient.get;
import static dev.sluice.gateway.ResponsesClient.json;
import static dev.sluice.gateway.ResponsesClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An item of an earlier answer that a request only names")
final class ReferredItemsTest extends OnDatabase {
    private static final String REFERENCE = "{\"type\":\"item_reference\",\"id\":\"%s\"}";
    private static final String AND = "{\"role\":\"user\",\"content\":\"and\"}";
    private static final String ITEM =
            "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\","
                    + "\"content\":[{\"type\":\"output_text\",\"text\":\"text %d\",\"annotations\":[]}]}";

    /** Thinks before it answers, and keeps its thoughts to itself. */
    private static RawUpstream thinking() throws IOException {
        AtomicInteger turn = new AtomicInteger();
        return RawUpstream.start(call -> {
            int number = turn.incrementAndGet();
            call.json(
                    200,
                    answer("resp_" + number, "text " + number)
                            .replace(
                                    "\"output\":[",
                                    "\"output\":[{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[]},"));
        });
    }

    private static Answer ask(RunningGateway gateway, String input) throws IOException {
        return exchange(gateway.port(), request("{\"model\":\"chat\",\"input\":[" + input + "]}", ""));
    }

    private static String sent(String input) {
        return "{\"store\":false,\"model\":\"served/name\",\"input\":[" + input + "]}";
    }

    @Test
    void standsInItsPlaceForTheUpstreamAtEveryGateway() throws IOException {
        try (RawUpstream upstream = thinking();
                RunningGateway gateway = gateway(upstream, "{limit: 4}", "");
                RunningGateway other = gateway(upstream, "{limit: 4}", "")) {
            create(gateway, "");

            Answer second = ask(other, REFERENCE.formatted("rs_1") + ", " + REFERENCE.formatted("msg_1") + "," + AND);

            assertThat(second.status()).as(second.body()).isEqualTo(200);
            assertThat(upstream.calls().get(1).body()).isEqualTo(sent(ITEM.formatted(1) + "," + AND));
            assertThat(get(gateway, "resp_2/input_items?order=asc").path("data"))
                    .hasSize(2);
            ask(gateway, AND + "," + REFERENCE.formatted("msg_1"));
            assertThat(upstream.calls().get(2).body())
                    .as("an id that is given twice stands for the newer item")
                    .isEqualTo(sent(AND + "," + ITEM.formatted(2)));
        }
    }

    @Test
    void isFoundInAnAnswerThatWasMadeInTheBackground() throws IOException {
        try (RawUpstream upstream = thinking();
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 5}", "")) {
            awaitStatus(gateway, background(gateway, ""), "completed");

            ask(gateway, REFERENCE.formatted("msg_1"));

            assertThat(upstream.calls().get(1).body()).isEqualTo(sent(ITEM.formatted(1)));
        }
    }

    @Test
    void isRefusedByItsPlaceIfItIsNotThereForTheGroup() throws IOException {
        try (RawUpstream upstream = thinking();
                RunningGateway gateway = gateway(upstream, "{limit: 4}", "")) {
            create(gateway, "");
            String known = REFERENCE.formatted("msg_1");

            refused(ask(gateway, known + "," + REFERENCE.formatted("msg_2")), "input[1]");
            refused(ask(gateway, known + "," + REFERENCE.formatted("msg_1\\u0000")), "input[1]");
            refused(ask(gateway, "{\"type\":\"item_reference\",\"id\":7}"), "input[0]");
            refused(
                    exchange(
                            gateway.port(),
                            RawClient.post(
                                    ResponsesClient.PATH,
                                    RunningGateway.OTHER_KEY,
                                    "{\"model\":\"other\",\"input\":[" + known + "]}",
                                    "")),
                    "input[0]");
            ResponsesClient.call(gateway, "DELETE", "resp_1", RunningGateway.KEY);
            refused(ask(gateway, known), "input[0]");
            assertThat(upstream.calls()).hasSize(1);
        }
    }

    @Test
    void isRefusedWhereNothingIsKept() throws IOException {
        try (RawUpstream upstream = thinking();
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"))) {
            refused(ask(gateway, REFERENCE.formatted("msg_1")), "input");
            assertThat(upstream.calls()).isEmpty();
        }
    }

    private static void refused(Answer answer, String param) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(json(answer).path("error").path("param").asString()).isEqualTo(param);
    }
}
