package dev.sluice.gateway.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * What the simulated model understands of a request.
 *
 * @param tokensMax the most tokens of the answer
 * @param exact {@code ignore_eos}: the answer has {@code tokensMax} tokens, as model servers offer it for load tests
 * @param promptTokens a quarter of the characters of all texts, rounded up; one for each token of a token array
 * @param called the tools that the answer calls instead of a text
 * @param schema what the text must be a JSON value of
 * @param thinks whether the answer begins with thoughts
 */
record SimulatedRequest(
        String model,
        boolean stream,
        boolean includeUsage,
        OptionalInt tokensMax,
        boolean exact,
        List<String> stop,
        int promptTokens,
        List<SimulatedTool> called,
        Optional<JsonNode> schema,
        boolean thinks) {
    private static final int STOP_SEQUENCES_MAX = 4;
    private static final int STOP_SEQUENCES_OF_MESSAGES_MAX = 64;
    private static final int COMPLETION_TOKENS = 16;
    private static final int CALLS_MAX = 2;

    static SimulatedRequest chat(SimulatedFields fields) throws SimulatedRefusal {
        String model = fields.model();
        JsonNode messages = fields.messages();
        boolean stream = fields.flag("stream");
        fields.oneChoice();
        JsonNode choice = fields.root().path("tool_choice");
        List<SimulatedTool> tools = new ArrayList<>();
        for (JsonNode tool : fields.root().path("tools")) {
            JsonNode function = tool.path("function");
            tools.add(new SimulatedTool(function.path("name").asString(""), function.path("parameters")));
        }
        boolean afterResult =
                messages.get(messages.size() - 1).path("role").asString("").equals("tool");
        boolean one = fields.root().path("parallel_tool_calls").isBoolean() && !fields.flag("parallel_tool_calls");
        JsonNode format =
                fields.root().path("response_format").path("json_schema").path("schema");
        return new SimulatedRequest(
                model,
                stream,
                SimulatedFields.flag(fields.root().path("stream_options"), "include_usage"),
                fields.count("max_completion_tokens", "max_tokens"),
                fields.flag("ignore_eos"),
                fields.sequences("stop", STOP_SEQUENCES_MAX),
                SimulatedFields.tokens(contents(messages)),
                called(
                        tools,
                        choice.asString(choice.isObject() ? "named" : "auto"),
                        choice.path("function").path("name").asString(""),
                        afterResult,
                        one),
                format.isObject() ? Optional.of(format) : Optional.empty(),
                false);
    }

    static SimulatedRequest completion(SimulatedFields fields) throws SimulatedRefusal {
        String model = fields.model();
        JsonNode prompt = fields.root().path("prompt");
        if (!prompt.isString() && (!prompt.isArray() || prompt.isEmpty())) {
            throw new SimulatedRefusal("prompt", "'prompt' must be a string or a non-empty array.");
        }
        fields.oneChoice();
        OptionalInt tokensMax = fields.count("max_tokens");
        return new SimulatedRequest(
                model,
                fields.flag("stream"),
                SimulatedFields.flag(fields.root().path("stream_options"), "include_usage"),
                tokensMax.isPresent() ? tokensMax : OptionalInt.of(COMPLETION_TOKENS),
                fields.flag("ignore_eos"),
                fields.sequences("stop", STOP_SEQUENCES_MAX),
                SimulatedFields.tokens(List.of(prompt)),
                List.of(),
                Optional.empty(),
                false);
    }

    static SimulatedRequest responses(SimulatedFields fields) throws SimulatedRefusal {
        String model = fields.model();
        JsonNode input = fields.root().path("input");
        if (!input.isString() && (!input.isArray() || input.isEmpty())) {
            throw new SimulatedRefusal("input", "'input' must be a string or a non-empty array.");
        }
        if (fields.root().path("previous_response_id").isString()) {
            throw new SimulatedRefusal("previous_response_id", "The simulated server keeps no responses.");
        }
        JsonNode choice = fields.root().path("tool_choice");
        List<SimulatedTool> tools = new ArrayList<>();
        for (JsonNode tool : fields.root().path("tools")) {
            if (tool.path("type").asString("").equals("function")) {
                tools.add(new SimulatedTool(tool.path("name").asString(""), tool.path("parameters")));
            }
        }
        boolean afterResult = input.isArray()
                && input.get(input.size() - 1).path("type").asString("").equals("function_call_output");
        boolean one = fields.root().path("parallel_tool_calls").isBoolean() && !fields.flag("parallel_tool_calls");
        JsonNode format = fields.root().path("text").path("format").path("schema");
        List<JsonNode> texts = new ArrayList<>();
        texts.add(fields.root().path("instructions"));
        if (input.isString()) {
            texts.add(input);
        } else {
            input.forEach(item -> texts.add(item.path("content")));
            input.forEach(item -> texts.add(item.path("output")));
        }
        return new SimulatedRequest(
                model,
                fields.flag("stream"),
                true,
                fields.count("max_output_tokens"),
                fields.flag("ignore_eos"),
                List.of(),
                SimulatedFields.tokens(texts),
                called(
                        tools,
                        choice.asString(choice.isObject() ? "named" : "auto"),
                        choice.path("name").asString(""),
                        afterResult,
                        one),
                format.isObject() ? Optional.of(format) : Optional.empty(),
                false);
    }

    static SimulatedRequest messages(SimulatedFields fields) throws SimulatedRefusal {
        OptionalInt tokensMax = fields.count("max_tokens");
        if (tokensMax.isEmpty()) {
            throw new SimulatedRefusal("max_tokens", "max_tokens: Field required");
        }
        String model = fields.model();
        JsonNode messages = fields.messages();
        JsonNode choice = fields.root().path("tool_choice");
        List<SimulatedTool> tools = new ArrayList<>();
        for (JsonNode tool : fields.root().path("tools")) {
            tools.add(new SimulatedTool(tool.path("name").asString(""), tool.path("input_schema")));
        }
        JsonNode last = messages.get(messages.size() - 1).path("content").path(0);
        String wish = choice.path("type").asString("auto");
        JsonNode format = fields.root().path("output_config").path("format").path("schema");
        return new SimulatedRequest(
                model,
                fields.flag("stream"),
                true,
                tokensMax,
                fields.flag("ignore_eos"),
                fields.sequences("stop_sequences", STOP_SEQUENCES_OF_MESSAGES_MAX),
                promptTokens(fields),
                called(
                        tools,
                        wish.equals("any") ? "required" : wish.equals("tool") ? "named" : wish,
                        choice.path("name").asString(""),
                        last.path("type").asString("").equals("tool_result"),
                        SimulatedFields.flag(choice, "disable_parallel_tool_use")),
                format.isObject() ? Optional.of(format) : Optional.empty(),
                fields.root().path("thinking").path("type").asString("").equals("enabled"));
    }

    /** What {@code /messages/count_tokens} counts. */
    static int promptTokens(SimulatedFields fields) throws SimulatedRefusal {
        fields.model();
        List<JsonNode> texts = contents(fields.messages());
        texts.add(fields.root().path("system"));
        return SimulatedFields.tokens(texts);
    }

    private static List<JsonNode> contents(JsonNode messages) {
        List<JsonNode> contents = new ArrayList<>();
        messages.forEach(message -> contents.add(message.path("content")));
        return contents;
    }

    /** Which tools are called: when offered, once, and then the answer is a text. */
    private static List<SimulatedTool> called(
            List<SimulatedTool> tools, String choice, String name, boolean afterResult, boolean one) {
        return switch (choice) {
            case "none" -> List.of();
            case "named" ->
                tools.stream().filter(tool -> tool.name().equals(name)).toList();
            case "required" -> tools.stream().limit(one ? 1 : CALLS_MAX).toList();
            default ->
                afterResult
                        ? List.of()
                        : tools.stream().limit(one ? 1 : CALLS_MAX).toList();
        };
    }
}
