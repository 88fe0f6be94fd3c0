package dev.sluice.gateway.translation;

import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools of a message, and which of them may or must be called. */
final class MessagesTools {
    private MessagesTools() {}

    static void translate(Fields messages, ObjectNode out, Notes notes) throws Untranslatable {
        ArrayNode tools = Json.array();
        for (Fields tool : messages.objects("tools")) {
            tools.add(tool(tool, notes));
        }
        if (!tools.isEmpty()) {
            out.set("tools", tools);
        }
        Optional<Fields> choice = messages.object("tool_choice");
        if (choice.isPresent()) {
            choice(choice.get(), out, !tools.isEmpty());
        }
    }

    private static ObjectNode tool(Fields tool, Notes notes) throws Untranslatable {
        String type = tool.optionalText("type").orElse("custom");
        if (!type.equals("custom")) {
            throw tool.refuse("type", "the tool '" + type + "' is run by the provider and has no counterpart");
        }
        ObjectNode function = Json.object().put("name", tool.text("name"));
        tool.optionalText("description").ifPresent(text -> function.put("description", text));
        function.set("parameters", tool.need("input_schema"));
        if (tool.flag("strict")) {
            function.put("strict", true);
        }
        tool.onlyIf("eager_input_streaming", Usual.FALSE);
        tool.onlyIf("defer_loading", Usual.FALSE);
        notes.cacheControl(tool);
        tool.done();
        return Json.typed("function").set("function", function);
    }

    private static void choice(Fields choice, ObjectNode out, boolean tools) throws Untranslatable {
        String type = choice.text("type");
        if (tools) {
            switch (type) {
                case "auto", "none" -> out.put("tool_choice", type);
                case "any" -> out.put("tool_choice", "required");
                case "tool" ->
                    out.set(
                            "tool_choice",
                            Json.typed("function").set("function", Json.object().put("name", choice.text("name"))));
                default -> throw choice.refuse("type", "this value has no counterpart");
            }
        } else if (!type.equals("auto") && !type.equals("none")) {
            throw choice.refuse("type", "there are no tools");
        }
        if (choice.flag("disable_parallel_tool_use") && tools) {
            out.put("parallel_tool_calls", false);
        }
        choice.done();
    }
}
