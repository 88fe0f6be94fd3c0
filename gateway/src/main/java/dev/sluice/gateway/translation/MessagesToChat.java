package dev.sluice.gateway.translation;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A request of messages as a request of chat completions. */
final class MessagesToChat {
    private MessagesToChat() {}

    static ObjectNode request(JsonNode body, Notes notes) throws Untranslatable {
        Fields messages = new Fields(body, "");
        ObjectNode out = Json.object().put("model", messages.text("model"));
        out.set("max_completion_tokens", messages.need("max_tokens"));
        out.set("messages", MessagesTurns.translate(messages, notes));
        MessagesTools.translate(messages, out, notes);
        messages.take("temperature").ifPresent(value -> out.set("temperature", value));
        messages.take("top_p").ifPresent(value -> out.set("top_p", value));
        messages.take("stop_sequences").filter(Usual.EMPTY.negate()).ifPresent(value -> out.set("stop", value));
        outputConfig(messages, out);
        if (messages.flag("stream")) {
            out.put("stream", true);
            // A message always ends with its usage.
            out.set("stream_options", Json.object().put("include_usage", true));
        }
        Optional<Fields> metadata = messages.object("metadata");
        if (metadata.isPresent()) {
            metadata.get().optionalText("user_id").ifPresent(user -> out.put("user", user));
            metadata.get().done();
        }
        thinking(messages, notes);
        messages.onlyIf("service_tier", Usual.word("auto"));
        messages.onlyIf("speed", Usual.word("standard"));
        notes.cacheControl(messages);
        messages.done();
        return out;
    }

    private static void outputConfig(Fields messages, ObjectNode out) throws Untranslatable {
        Optional<Fields> given = messages.object("output_config");
        if (given.isEmpty()) {
            return;
        }
        Fields config = given.get();
        Optional<String> effort = config.optionalText("effort");
        if (effort.isPresent()) {
            out.put(
                    "reasoning_effort",
                    Efforts.same(effort.get())
                            .orElseThrow(
                                    () -> config.refuse("effort", "only " + Efforts.NAMES + " have counterparts")));
        }
        Optional<Fields> format = config.object("format");
        if (format.isPresent()) {
            if (!format.get().text("type").equals("json_schema")) {
                throw format.get().refuse("type", "only 'json_schema' has a counterpart");
            }
            // A name is required there, and the model does not see it.
            ObjectNode described = Json.object().put("name", "answer").put("strict", true);
            described.set("schema", format.get().need("schema"));
            out.set("response_format", Json.typed("json_schema").set("json_schema", described));
            format.get().done();
        }
        config.done();
    }

    /** Without a word about it a model thinks as it is set up to, and tells its thoughts if its server does. */
    private static void thinking(Fields messages, Notes notes) throws Untranslatable {
        Optional<Fields> given = messages.object("thinking");
        if (given.isEmpty()) {
            return;
        }
        Fields thinking = given.get();
        switch (thinking.text("type")) {
            case "adaptive" -> thinking.onlyIf("display", Usual.word("summarized"));
            case "disabled" -> notes.noThinking();
            default ->
                throw thinking.refuse(
                        "type",
                        "only 'adaptive', with 'output_config.effort' for how much, and 'disabled' have counterparts");
        }
        thinking.done();
    }
}
