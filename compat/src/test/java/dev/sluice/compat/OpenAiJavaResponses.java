package dev.sluice.compat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseRetrieveParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.inputitems.InputItemListParams;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code com.openai:openai-java}. */
final class OpenAiJavaResponses implements ResponsesClient {
    private final String baseUrl;
    private final String key;

    OpenAiJavaResponses(String baseUrl, String key) {
        this.baseUrl = baseUrl;
        this.key = key;
    }

    @Override
    public Made create(Order order) {
        return call(client -> made(client.responses().create(parameters(order))));
    }

    @Override
    public List<Event> stream(Order order, int most) {
        return call(client -> {
            try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(parameters(order))) {
                return stream.stream()
                        .limit(most)
                        .map(OpenAiJavaResponses::event)
                        .toList();
            }
        });
    }

    @Override
    public Made retrieve(String id) {
        return call(client -> made(client.responses().retrieve(id)));
    }

    @Override
    public List<Event> resume(String id, long after) {
        return call(client -> {
            var from = ResponseRetrieveParams.builder()
                    .responseId(id)
                    .startingAfter(after)
                    .build();
            try (StreamResponse<ResponseStreamEvent> stream = client.responses().retrieveStreaming(from)) {
                return stream.stream().map(OpenAiJavaResponses::event).toList();
            }
        });
    }

    @Override
    public Made cancel(String id) {
        return call(client -> made(client.responses().cancel(id)));
    }

    @Override
    public void delete(String id) {
        call(client -> {
            client.responses().delete(id);
            return true;
        });
    }

    @Override
    public List<String> inputTexts(String id) {
        return call(client -> client
                .responses()
                .inputItems()
                .list(InputItemListParams.builder()
                        .responseId(id)
                        .order(InputItemListParams.Order.ASC)
                        .limit(1)
                        .build())
                .autoPager()
                .stream()
                .map(item -> item.isResponseInputMessageItem()
                        ? item.asResponseInputMessageItem()
                                .content()
                                .getFirst()
                                .asInputText()
                                .text()
                        : item.asResponseOutputMessage()
                                .content()
                                .getFirst()
                                .asOutputText()
                                .text())
                .toList());
    }

    private static Made made(Response response) {
        String text = response.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(part -> part.outputText().stream())
                .map(part -> part.text())
                .collect(Collectors.joining());
        return new Made(
                response.id(), response.status().map(ResponseStatus::asString).orElse(""), text);
    }

    /** By the client's own types where it has them: what it cannot read has none. */
    private static Event event(ResponseStreamEvent event) {
        Map<?, ?> json = event._json().orElseThrow().convert(Map.class);
        Map<?, ?> response = json.get("response") instanceof Map<?, ?> there ? there : Map.of();
        return new Event(
                string(json, "type"),
                ((Number) Objects.requireNonNull(json.get("sequence_number"))).longValue(),
                event.queued().map(queued -> queued.response().id()).orElse(string(response, "id")),
                event.completed()
                        .flatMap(done -> done.response().status())
                        .map(ResponseStatus::asString)
                        .orElse(string(response, "status")),
                event.outputTextDelta().map(delta -> delta.delta()).orElse(""));
    }

    private static String string(Map<?, ?> object, String field) {
        return object.get(field) instanceof String text ? text : "";
    }

    private static ResponseCreateParams parameters(Order order) {
        ResponseCreateParams.Builder parameters = ResponseCreateParams.builder()
                .model("chat")
                .input(order.input())
                .maxOutputTokens(order.tokensMax());
        if (order.background()) {
            parameters.background(true);
        }
        if (!order.store()) {
            parameters.store(false);
        }
        if (!order.previous().isEmpty()) {
            parameters.previousResponseId(order.previous());
        }
        return parameters.build();
    }

    private <T> T call(Function<OpenAIClient, T> use) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(baseUrl)
                .apiKey(key)
                .maxRetries(0)
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            return use.apply(client);
        } catch (OpenAIServiceException e) {
            throw new Refused(new Result.Failed(
                    e.getClass().getSimpleName(),
                    e.statusCode(),
                    e.code().orElse(""),
                    e.type().orElse(""),
                    e.param().orElse("")));
        } finally {
            client.close();
        }
    }
}
