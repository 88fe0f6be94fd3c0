package dev.sluice.gateway.translation;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools of a chat, and which of them may or must be called. */
final class ChatTools {
    private ChatTools() {}

    static void translate(Fields chat, ObjectNode out) throws Untranslatable {
        ArrayNode tools = Json.array();
        for (Fields tool : chat.objects("tools")) {
            tools.add(tool(tool));
        }
        Optional<JsonNode> parallel = chat.take("parallel_tool_calls");
        boolean one = parallel.filter(Usual.FALSE).isPresent();
        Optional<ObjectNode> choice = choice(chat);
        if (tools.isEmpty()) {
            // Both mean the same there: no tools.
            if (choice.isPresent() && !Json.text(choice.get().path("type")).matches("auto|none")) {
                throw chat.refuse("tool_choice", "there are no tools");
            }
            return;
        }
        out.set("tools", tools);
        if (one && choice.isEmpty()) {
            choice = Optional.of(Json.typed("auto"));
        }
        if (choice.isPresent()) {
            boolean none = Json.text(choice.get().path("type")).equals("none");
            out.set("tool_choice", one && !none ? choice.get().put("disable_parallel_tool_use", true) : choice.get());
        }
    }

    private static ObjectNode tool(Fields tool) throws Untranslatable {
        String type = tool.text("type");
        if (!type.equals("function")) {
            throw tool.refuse("type", "tools of type '" + type + "' have no counterpart");
        }
        Fields function = tool.needObject("function");
        ObjectNode out = Json.object().put("name", function.text("name"));
        function.optionalText("description").ifPresent(text -> out.put("description", text));
        JsonNode parameters =
                function.take("parameters").orElseGet(() -> Json.typed("object").set("properties", Json.object()));
        out.set("input_schema", parameters);
        if (function.flag("strict")) {
            out.put("strict", true);
        }
        function.done();
        tool.done();
        return out;
    }

    private static Optional<ObjectNode> choice(Fields chat) throws Untranslatable {
        Optional<JsonNode> choice = chat.take("tool_choice");
        if (choice.isEmpty()) {
            return Optional.empty();
        }
        if (choice.get().isObject()) {
            Fields named = new Fields(choice.get(), chat.path("tool_choice"));
            if (!named.text("type").equals("function")) {
                throw chat.refuse("tool_choice", "only a function can be named");
            }
            Fields function = named.needObject("function");
            ObjectNode tool = Json.typed("tool").put("name", function.text("name"));
            function.done();
            named.done();
            return Optional.of(tool);
        }
        return Optional.of(
                switch (Json.text(choice.get())) {
                    case "auto" -> Json.typed("auto");
                    case "none" -> Json.typed("none");
                    case "required" -> Json.typed("any");
                    default -> throw chat.refuse("tool_choice", "this value has no counterpart");
                });
    }
}
