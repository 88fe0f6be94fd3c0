package dev.sluice.gateway.batches;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Why the input of a batch is refused.
 *
 * @param line empty if it is the file as a whole
 */
record LineFault(String code, String message, Optional<String> param, OptionalInt line) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    static LineFault of(String code, String message, String param) {
        return new LineFault(
                code, message, param.isEmpty() ? Optional.empty() : Optional.of(param), OptionalInt.empty());
    }

    LineFault at(int number) {
        return new LineFault(code, message, param, OptionalInt.of(number));
    }

    /** The value of a batch's {@code errors}. */
    static String json(List<LineFault> faults) {
        ArrayNode data = NODES.arrayNode();
        for (LineFault fault : faults) {
            ObjectNode node = NODES.objectNode().put("code", fault.code);
            if (fault.line.isPresent()) {
                node.put("line", fault.line.getAsInt());
            } else {
                node.putNull("line");
            }
            data.add(node.put("message", fault.message).put("param", fault.param.orElse(null)));
        }
        ObjectNode list = NODES.objectNode().put("object", "list");
        list.set("data", data);
        return JSON.writeValueAsString(list);
    }
}
