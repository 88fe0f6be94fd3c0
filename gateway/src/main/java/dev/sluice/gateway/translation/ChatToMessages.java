package dev.sluice.gateway.translation;

import java.math.BigDecimal;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A request of chat completions as a request of messages. */
final class ChatToMessages {
    /** The other API requires a limit; every model of it can do this much. */
    static final int MAX_TOKENS_DEFAULT = 4_096;

    private ChatToMessages() {}

    static ObjectNode request(JsonNode body) throws Untranslatable {
        Fields chat = new Fields(body, "");
        ObjectNode out = Json.object().put("model", chat.text("model"));
        out.set("max_tokens", maxTokens(chat));
        ChatTurns.translate(chat.objects("messages"), out);
        ChatTools.translate(chat, out);
        sampling(chat, out);
        outputConfig(chat, out);
        if (chat.flag("stream")) {
            out.put("stream", true);
        }
        Optional<String> user = chat.optionalText("user");
        if (user.isPresent()) {
            out.set("metadata", Json.object().put("user_id", user.get()));
        }
        withoutEffect(chat);
        chat.done();
        return out;
    }

    private static JsonNode maxTokens(Fields chat) {
        Optional<JsonNode> older = chat.take("max_tokens");
        Optional<JsonNode> newer = chat.take("max_completion_tokens");
        return newer.or(() -> older).orElseGet(() -> Json.object().numberNode(MAX_TOKENS_DEFAULT));
    }

    private static void sampling(Fields chat, ObjectNode out) throws Untranslatable {
        Optional<JsonNode> temperature = chat.take("temperature");
        if (temperature.isPresent()) {
            if (temperature.get().decimalValue().compareTo(BigDecimal.ONE) > 0) {
                throw chat.refuse("temperature", "it may be at most 1 there");
            }
            out.set("temperature", temperature.get());
        }
        chat.take("top_p").ifPresent(value -> out.set("top_p", value));
        Optional<JsonNode> stop = chat.take("stop");
        if (stop.isPresent() && stop.get().isString()) {
            out.set("stop_sequences", Json.array().add(stop.get()));
        } else if (stop.isPresent() && !stop.get().isEmpty()) {
            out.set("stop_sequences", stop.get());
        }
    }

    private static void outputConfig(Fields chat, ObjectNode out) throws Untranslatable {
        ObjectNode config = Json.object();
        Optional<String> effort = chat.optionalText("reasoning_effort");
        if (effort.isPresent() && effort.get().equals("none")) {
            out.set("thinking", Json.typed("disabled"));
        } else if (effort.isPresent()) {
            config.put(
                    "effort",
                    Efforts.same(effort.get())
                            .orElseThrow(() -> chat.refuse(
                                    "reasoning_effort", "only 'none' and " + Efforts.NAMES + " have counterparts")));
        }
        Optional<Fields> format = chat.object("response_format");
        if (format.isPresent()) {
            format(format.get(), config);
        }
        if (!config.isEmpty()) {
            out.set("output_config", config);
        }
    }

    private static void format(Fields format, ObjectNode config) throws Untranslatable {
        switch (format.text("type")) {
            case "text" -> {}
            case "json_schema" -> {
                Fields described = format.needObject("json_schema");
                // A label that the model does not see; the schema is always enforced there.
                described.text("name");
                described.onlyIf("strict", Usual.TRUE);
                config.set("format", Json.typed("json_schema").set("schema", described.need("schema")));
                described.done();
            }
            default -> throw format.refuse("type", "only 'text' and 'json_schema' have counterparts");
        }
        format.done();
    }

    private static void withoutEffect(Fields chat) throws Untranslatable {
        Optional<Fields> options = chat.object("stream_options");
        if (options.isPresent()) {
            // Whether usage is shown is a matter of the answer.
            options.get().flag("include_usage");
            options.get().onlyIf("include_obfuscation", Usual.FALSE);
            options.get().done();
        }
        chat.onlyIf("n", Usual.ONE);
        chat.onlyIf("presence_penalty", Usual.ZERO);
        chat.onlyIf("frequency_penalty", Usual.ZERO);
        chat.onlyIf("logit_bias", Usual.EMPTY);
        chat.onlyIf("logprobs", Usual.FALSE);
        chat.onlyIf("store", Usual.FALSE);
        chat.onlyIf("metadata", Usual.EMPTY);
        chat.onlyIf("service_tier", Usual.word("auto"));
        chat.onlyIf(
                "modalities",
                value -> value.size() == 1 && Json.text(value.path(0)).equals("text"));
    }
}
