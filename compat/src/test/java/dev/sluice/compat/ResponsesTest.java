package dev.sluice.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.compat.ResponsesClient.Event;
import dev.sluice.compat.ResponsesClient.Made;
import dev.sluice.compat.ResponsesClient.Order;
import dev.sluice.compat.ResponsesClient.Refused;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that are kept need a database: an embedded one, for both clients. */
@DisplayName("Clients of the Responses API")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ResponsesTest {
    private static final String JAVA = "openai-java";
    private static final String NODE = "openai for Node.js";

    private EmbeddedGateway gateway;

    @RegisterExtension
    final NodeProcess node = new NodeProcess("responses.mjs");

    @RegisterExtension
    final NodeProcess vercel = new NodeProcess("vercel.mjs");

    @BeforeAll
    void start() throws IOException {
        gateway = EmbeddedGateway.start("""
                platforms:
                  - id: sim
                    providers:
                      - {id: sim-a, type: simulated, capacity: 4,
                         simulated: {time-to-first-token: 5ms, tokens-per-second: 200}}
                models:
                  - {id: chat, served-by: [{platform: sim, model: small}]}
                """);
    }

    @AfterAll
    void stop() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
    }

    private ResponsesClient client(String name) {
        String url = gateway.url();
        return name.equals(JAVA)
                ? new OpenAiJavaResponses(url, EmbeddedGateway.KEY)
                : new OpenAiNodeResponses(node, url, EmbeddedGateway.KEY);
    }

    private static Made awaitEnd(ResponsesClient client, String id) {
        await().atMost(20, SECONDS)
                .until(() -> !List.of("queued", "in_progress")
                        .contains(client.retrieve(id).status()));
        return client.retrieve(id);
    }

    private static Result.Failed refusal(ThrowingCallable call) {
        return assertThatExceptionOfType(Refused.class)
                .isThrownBy(call)
                .actual()
                .failure();
    }

    @ParameterizedTest
    @ValueSource(strings = {JAVA, NODE})
    void makeAResponseFindItAgainAndGoOnFromIt(String name) {
        ResponsesClient client = client(name);
        Made first = client.create(Order.of("one of " + name));

        Made second = client.create(Order.of("two").after(first.id()));

        assertThat(first.text()).isNotBlank();
        assertThat(first.status()).isEqualTo("incomplete");
        assertThat(client.retrieve(first.id())).isEqualTo(first);
        assertThat(client.inputTexts(second.id())).containsExactly("one of " + name, first.text(), "two");
        client.delete(first.id());
        assertThat(client.retrieve(second.id())).isEqualTo(second);
    }

    /** As Vercel's does, unless it is told not to. */
    @Test
    void goOnWithAConversationByTheIdsOfItsItems() {
        VercelAi.Talk talk = new VercelAi(vercel, gateway.url(), "responses")
                .talk(Ask.of(EmbeddedGateway.KEY, "chat").prompt("one"));

        assertThat(talk.sent()).contains("item_reference").doesNotContain(talk.text());
        assertThat(client(JAVA).inputTexts(talk.id())).containsExactly("one", talk.text(), "Go on.");
    }

    @ParameterizedTest
    @ValueSource(strings = {JAVA, NODE})
    void readAStreamOfEventsInOrder(String name) {
        List<Event> events = client(name).stream(Order.of("stream for " + name), 1_000);

        assertThat(events.getFirst().type()).isEqualTo("response.created");
        assertThat(events.getLast().type()).isEqualTo("response.incomplete");
        assertThat(events.stream().map(Event::number))
                .containsExactlyElementsOf(
                        LongStream.range(0, events.size()).boxed().toList());
        assertThat(events.stream().filter(event -> !event.delta().isEmpty())).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {JAVA, NODE})
    void pollAResponseInTheBackgroundUntilItIsMade(String name) {
        ResponsesClient client = client(name);

        Made queued = client.create(Order.of("background").inTheBackground());

        assertThat(queued.status()).isEqualTo("queued");
        Made made = awaitEnd(client, queued.id());
        assertThat(made.status()).isEqualTo("incomplete");
        assertThat(made.text()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {JAVA, NODE})
    void leaveAStreamInTheBackgroundAndReadOnBehindTheLastEvent(String name) {
        ResponsesClient client = client(name);
        List<Event> begun =
                client.stream(Order.of("long for " + name).inTheBackground().upTo(100), 8);
        String id = begun.getFirst().id();

        List<Event> rest = client.resume(id, begun.getLast().number());

        assertThat(begun.stream().map(Event::type))
                .startsWith("response.created", "response.queued", "response.in_progress");
        assertThat(begun.get(1).id()).isEqualTo(id);
        assertThat(rest.getFirst().number()).isEqualTo(8);
        assertThat(rest.stream().map(Event::number))
                .containsExactlyElementsOf(
                        LongStream.range(8, 8 + rest.size()).boxed().toList());
        assertThat(rest.getLast().type()).startsWith("response.").isIn("response.completed", "response.incomplete");
        assertThat(rest.getLast().id()).isEqualTo(id);
        String text = String.join("", begun.stream().map(Event::delta).toList())
                + String.join("", rest.stream().map(Event::delta).toList());
        assertThat(client.retrieve(id).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {JAVA, NODE})
    void cancelAndDelete(String name) {
        ResponsesClient client = client(name);
        // The simulated model takes all of its tokens, a few hundred a second, only when it is told so.
        List<Event> begun =
                client.stream(Order.of("cancel for " + name).inTheBackground().upTo(100), 4);
        String id = begun.getFirst().id();

        Made cancelled = client.cancel(id);

        assertThat(cancelled.status()).isIn("cancelled", "completed", "incomplete");
        assertThat(client.cancel(id).status()).isEqualTo(cancelled.status());
        client.delete(id);
        assertThat(refusal(() -> client.retrieve(id)).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {JAVA, NODE})
    void failAsTheirOwnExceptions(String name) {
        ResponsesClient client = client(name);
        String notFound = name.equals(JAVA) ? "NotFoundException" : "NotFoundError";
        String badRequest = name.equals(JAVA) ? "BadRequestException" : "BadRequestError";

        assertThat(refusal(() -> client.retrieve("resp_unknown")))
                .isEqualTo(new Result.Failed(notFound, 404, "not_found", "invalid_request_error", ""));
        assertThat(refusal(() -> client.delete("resp_unknown")).kind()).isEqualTo(notFound);
        assertThat(refusal(() -> client.cancel("resp_unknown")).kind()).isEqualTo(notFound);
        assertThat(refusal(() -> client.create(Order.of("x").after("resp_unknown"))))
                .isEqualTo(new Result.Failed(
                        badRequest,
                        400,
                        "previous_response_not_found",
                        "invalid_request_error",
                        "previous_response_id"));
        assertThat(refusal(() -> client.create(Order.of("x").inTheBackground().unkept())))
                .isEqualTo(new Result.Failed(badRequest, 400, "invalid_request", "invalid_request_error", "store"));
    }
}
