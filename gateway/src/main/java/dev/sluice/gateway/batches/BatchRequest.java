package dev.sluice.gateway.batches;

import dev.sluice.gateway.files.FileIds;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.JsonText;
import dev.sluice.gateway.http.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of {@code POST /v1/batches}. */
sealed interface BatchRequest {
    record Wrong(Problem problem) implements BatchRequest {}

    /** @param metadata as JSON */
    record Good(
            UUID input,
            String endpoint,
            String window,
            Duration time,
            Optional<String> metadata,
            Optional<Duration> outputLife)
            implements BatchRequest {}

    JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    Pattern WINDOW = Pattern.compile("([1-9][0-9]{0,5})([smhd])");
    Duration WINDOW_MAX = Duration.ofDays(7);
    int METADATA_MAX = 16;
    int KEY_LENGTH_MAX = 64;
    int VALUE_LENGTH_MAX = 512;
    int LIFE_SECONDS_MIN = 3_600;
    int LIFE_SECONDS_MAX = 2_592_000;

    /** @param endpoints those that lines may be for */
    static BatchRequest read(byte[] body, Set<String> endpoints) {
        if (!JsonText.isUtf8(body)) {
            return wrong("", "The body must be a JSON object in UTF-8.");
        }
        try {
            JsonNode root = JSON.readTree(body);
            return root.isObject() ? checked(root, endpoints) : wrong("", "The body must be a JSON object.");
        } catch (JacksonException e) {
            return wrong("", "The body is not valid JSON, or has a field twice.");
        }
    }

    private static BatchRequest checked(JsonNode root, Set<String> endpoints) {
        String endpoint = root.path("endpoint").asString("");
        String window = root.path("completion_window").asString("");
        JsonNode metadata = root.path("metadata");
        JsonNode life = root.path("output_expires_after");
        Optional<Duration> time = time(window);
        if (!root.path("input_file_id").isString()) {
            return wrong("input_file_id", "'input_file_id' must be the id of a file with purpose 'batch'.");
        }
        if (!endpoints.contains(endpoint)) {
            return wrong("endpoint", "'endpoint' must be one of " + String.join(", ", new TreeSet<>(endpoints)) + ".");
        }
        if (time.isEmpty()) {
            return wrong(
                    "completion_window",
                    "'completion_window' must be a whole number of s, m, h or d, up to 7d, for example 24h.");
        }
        if (!metadata.isMissingNode() && !metadata.isNull() && !isMetadata(metadata)) {
            return wrong(
                    "metadata",
                    "'metadata' must be at most " + METADATA_MAX + " strings of up to " + VALUE_LENGTH_MAX
                            + " characters, by names of up to " + KEY_LENGTH_MAX + ".");
        }
        if (!life.isMissingNode() && !life.isNull() && life(life).isEmpty()) {
            return wrong(
                    "output_expires_after",
                    "'output_expires_after' needs the anchor 'created_at' and " + LIFE_SECONDS_MIN + " to "
                            + LIFE_SECONDS_MAX + " seconds.");
        }
        Optional<UUID> input = FileIds.FILE.id(root.path("input_file_id").asString());
        if (input.isEmpty()) {
            return new Wrong(unknownFile());
        }
        return new Good(
                input.get(),
                endpoint,
                window,
                time.get(),
                metadata.isObject() ? Optional.of(JSON.writeValueAsString(metadata)) : Optional.empty(),
                life(life));
    }

    private static Optional<Duration> time(String window) {
        Matcher matcher = WINDOW.matcher(window);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        Duration time = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        return time.compareTo(WINDOW_MAX) <= 0 ? Optional.of(time) : Optional.empty();
    }

    private static boolean isMetadata(JsonNode node) {
        if (!node.isObject() || node.size() > METADATA_MAX) {
            return false;
        }
        for (Map.Entry<String, JsonNode> pair : node.properties()) {
            String value = pair.getValue().asString("");
            boolean plain = pair.getValue().isString()
                    && pair.getKey().length() <= KEY_LENGTH_MAX
                    && value.length() <= VALUE_LENGTH_MAX
                    && JsonText.isUnicode(pair.getKey())
                    && JsonText.isUnicode(value);
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    private static Optional<Duration> life(JsonNode node) {
        JsonNode seconds = node.path("seconds");
        boolean good = node.path("anchor").asString("").equals("created_at")
                && seconds.isIntegralNumber()
                && seconds.asLong() >= LIFE_SECONDS_MIN
                && seconds.asLong() <= LIFE_SECONDS_MAX;
        return good ? Optional.of(Duration.ofSeconds(seconds.asLong())) : Optional.empty();
    }

    static Problem unknownFile() {
        return Problem.of(
                        Fault.NOT_FOUND, "There is no such file with purpose 'batch', or its time to be kept is over.")
                .at("input_file_id");
    }

    private static Wrong wrong(String field, String message) {
        Problem problem = Problem.of(Fault.INVALID_REQUEST, message);
        return new Wrong(field.isEmpty() ? problem : problem.at(field));
    }
}
