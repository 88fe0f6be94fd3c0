package dev.sluice.compat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.completions.Completion;
import com.openai.models.completions.CompletionChoice;
import com.openai.models.completions.CompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.models.Model;
import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** {@code com.openai:openai-java}. */
final class OpenAiJava implements OpenAiClient {
    private final String baseUrl;

    OpenAiJava(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    @Override
    public Result chat(Ask ask) {
        return call(ask, client -> {
            ChatCompletion.Choice choice = client.chat()
                    .completions()
                    .create(parameters(ask))
                    .choices()
                    .getFirst();
            return new Answered(
                    choice.message().content().orElseThrow(),
                    1,
                    choice.finishReason().asString());
        });
    }

    @Override
    public Result stream(Ask ask) {
        return call(ask, client -> {
            List<String> pieces = new ArrayList<>();
            var finish = new AtomicReference<>("");
            try (StreamResponse<ChatCompletionChunk> stream =
                    client.chat().completions().createStreaming(parameters(ask))) {
                stream.stream().flatMap(chunk -> chunk.choices().stream()).forEach(choice -> {
                    choice.delta().content().filter(text -> !text.isEmpty()).ifPresent(pieces::add);
                    choice.finishReason().ifPresent(reason -> finish.set(reason.asString()));
                });
            }
            return new Answered(String.join("", pieces), pieces.size(), finish.get());
        });
    }

    @Override
    public ToolTalk tools(Ask ask) {
        OpenAIClient client = client(ask);
        try {
            return OpenAiJavaShapes.tools(client, parameters(ask).toBuilder());
        } finally {
            client.close();
        }
    }

    @Override
    public String structured(Ask ask) {
        OpenAIClient client = client(ask);
        try {
            return OpenAiJavaShapes.structured(client, parameters(ask).toBuilder());
        } finally {
            client.close();
        }
    }

    @Override
    public Result completion(Ask ask) {
        return call(ask, client -> {
            CompletionChoice choice =
                    client.completions().create(prompt(ask)).choices().getFirst();
            return new Answered(choice.text(), 1, choice.finishReason().asString());
        });
    }

    @Override
    public Result completionStream(Ask ask) {
        return call(ask, client -> {
            List<String> pieces = new ArrayList<>();
            var finish = new AtomicReference<>("");
            try (StreamResponse<Completion> stream = client.completions().createStreaming(prompt(ask))) {
                stream.stream().flatMap(chunk -> chunk.choices().stream()).forEach(choice -> {
                    if (!choice.text().isEmpty()) {
                        pieces.add(choice.text());
                    }
                    // Declared as required, and null in a stream until its end.
                    choice._finishReason().asKnown().ifPresent(reason -> finish.set(reason.asString()));
                });
            }
            return new Answered(String.join("", pieces), pieces.size(), finish.get());
        });
    }

    private static CompletionCreateParams prompt(Ask ask) {
        return CompletionCreateParams.builder()
                .model(ask.model())
                .prompt(ask.prompt())
                .maxTokens(Ask.TOKENS_MAX)
                .build();
    }

    @Override
    public List<Float> embedding(Ask ask, int dimensions, String format) {
        OpenAIClient client = client(ask);
        EmbeddingCreateParams.Builder parameters = EmbeddingCreateParams.builder()
                .model(ask.model())
                .input(ask.prompt())
                .dimensions(dimensions);
        if (!format.isEmpty()) {
            parameters.encodingFormat(EmbeddingCreateParams.EncodingFormat.of(format));
        }
        try {
            return client.embeddings()
                    .create(parameters.build())
                    .data()
                    .getFirst()
                    .embedding();
        } finally {
            client.close();
        }
    }

    @Override
    public List<String> models(String key) {
        OpenAIClient client = client(Ask.of(key, ""));
        try {
            return client.models().list().data().stream().map(Model::id).toList();
        } finally {
            client.close();
        }
    }

    private Result call(Ask ask, Function<OpenAIClient, Result> use) {
        OpenAIClient client = client(ask);
        try {
            return use.apply(client);
        } catch (OpenAIServiceException e) {
            return new Failed(
                    e.getClass().getSimpleName(),
                    e.statusCode(),
                    e.code().orElse(""),
                    e.type().orElse(""),
                    e.param().orElse(""));
        } catch (OpenAIException e) {
            return new Failed(e.getClass().getSimpleName(), 0, "", "", "");
        } finally {
            client.close();
        }
    }

    private OpenAIClient client(Ask ask) {
        OpenAIOkHttpClient.Builder builder = OpenAIOkHttpClient.builder()
                .baseUrl(baseUrl)
                .apiKey(ask.key())
                .maxRetries(ask.retries())
                .timeout(ask.patience());
        ask.headers().forEach(builder::putHeader);
        return builder.build();
    }

    private static ChatCompletionCreateParams parameters(Ask ask) {
        ChatCompletionCreateParams.Builder parameters = ChatCompletionCreateParams.builder()
                .model(ask.model())
                .addUserMessage(ask.prompt())
                .maxCompletionTokens(Ask.TOKENS_MAX);
        if (ask.wrongStop()) {
            parameters.putAdditionalBodyProperty("stop", JsonValue.from(7));
        }
        return parameters.build();
    }
}
