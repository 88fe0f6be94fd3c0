package dev.sluice.compat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.MultipartField;
import com.openai.core.http.HttpResponse;
import com.openai.errors.OpenAIServiceException;
import com.openai.models.batches.Batch;
import com.openai.models.batches.BatchCreateParams;
import com.openai.models.files.FileCreateParams;
import com.openai.models.files.FileObject;
import com.openai.models.files.FilePurpose;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import tools.jackson.databind.json.JsonMapper;

/** {@code com.openai:openai-java}. */
final class BatchingJava implements BatchingClient {
    private static final Set<String> ENDS = Set.of("completed", "failed", "expired", "cancelled");

    private final String baseUrl;

    BatchingJava(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    private OpenAIClient client(String key) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(baseUrl)
                .apiKey(key)
                .maxRetries(0)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private static FileObject upload(OpenAIClient client, String content) {
        return client.files()
                .create(FileCreateParams.builder()
                        .file(MultipartField.<InputStream>builder()
                                .value(new ByteArrayInputStream(content.getBytes(UTF_8)))
                                .filename("requests.jsonl")
                                .build())
                        .purpose(FilePurpose.BATCH)
                        .build());
    }

    private static Batch ask(OpenAIClient client, String endpoint, String lines) {
        return client.batches()
                .create(BatchCreateParams.builder()
                        .inputFileId(upload(client, lines).id())
                        .endpoint(BatchCreateParams.Endpoint.of(endpoint))
                        .completionWindow(BatchCreateParams.CompletionWindow._24H)
                        .build());
    }

    private static Batch await(OpenAIClient client, String id, Predicate<String> status) {
        Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(() -> client.batches().retrieve(id).status().asString(), status);
        return client.batches().retrieve(id);
    }

    @Override
    public Ended run(String key, String endpoint, String lines) {
        OpenAIClient client = client(key);
        try {
            return ended(client, ask(client, endpoint, lines).id());
        } finally {
            client.close();
        }
    }

    @Override
    public Ended cancelled(String key, String endpoint, String lines) {
        OpenAIClient client = client(key);
        try {
            Batch batch = ask(client, endpoint, lines);
            await(client, batch.id(), "in_progress"::equals);
            client.batches().cancel(batch.id());
            return ended(client, batch.id());
        } finally {
            client.close();
        }
    }

    private static Ended ended(OpenAIClient client, String id) {
        Batch batch = await(client, id, ENDS::contains);
        boolean listed = client.batches().list().items().stream()
                .anyMatch(one -> one.id().equals(id));
        if (!listed) {
            throw new AssertionError("the batch is not in the list");
        }
        List<String> results = new ArrayList<>();
        batch.validate();
        for (Optional<String> file : List.of(batch.outputFileId(), batch.errorFileId())) {
            file.ifPresent(name -> results.addAll(ids(client, name)));
        }
        List<String> faults = batch.errors().flatMap(Batch.Errors::data).orElse(List.of()).stream()
                .map(fault -> fault.line().orElse(0L) + " " + fault.code().orElse(""))
                .toList();
        return new Ended(
                batch.status().asString(),
                batch.requestCounts().orElseThrow().total(),
                batch.requestCounts().orElseThrow().completed(),
                faults,
                results);
    }

    private static List<String> ids(OpenAIClient client, String file) {
        try (HttpResponse content = client.files().content(file)) {
            return new String(content.body().readAllBytes(), UTF_8)
                    .lines()
                    .map(line ->
                            JsonMapper.shared().readTree(line).path("custom_id").asString())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int deletedFile(String key, String content) {
        OpenAIClient client = client(key);
        try {
            String id = upload(client, content).id();
            boolean listed = client.files().list().items().stream()
                    .anyMatch(file -> file.id().equals(id));
            if (!listed || !client.files().delete(id).deleted()) {
                throw new AssertionError("the file is not listed or not deleted");
            }
            client.files().retrieve(id);
            return 200;
        } catch (OpenAIServiceException e) {
            return e.statusCode();
        } finally {
            client.close();
        }
    }
}
