package dev.sluice.gateway.upstream;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;

/** Embeddings: a vector of length 1 that follows from the seed and the input alone. */
final class SimulatedEmbeddings {
    private static final int DIMENSIONS = 256;
    private static final int DIMENSIONS_MAX = 4_096;
    private static final int INPUTS_MAX = 2_048;

    private SimulatedEmbeddings() {}

    static Buffer answer(SimulatedFields fields, long seed) throws SimulatedRefusal {
        String model = fields.model();
        List<JsonNode> inputs = inputs(fields.root().path("input"));
        int dimensions = fields.count("dimensions").orElse(DIMENSIONS);
        if (dimensions > DIMENSIONS_MAX) {
            throw new SimulatedRefusal("dimensions", "'dimensions' must be at most " + DIMENSIONS_MAX + ".");
        }
        String format = fields.root().path("encoding_format").asString("float");
        if (!format.equals("float") && !format.equals("base64")) {
            throw new SimulatedRefusal("encoding_format", "'encoding_format' must be float or base64.");
        }
        var json = new StringBuilder("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < inputs.size(); i++) {
            float[] vector = vector(inputs.get(i), dimensions, seed);
            json.append(i == 0 ? "" : ",")
                    .append("{\"object\":\"embedding\",\"index\":")
                    .append(i)
                    .append(",\"embedding\":")
                    .append(format.equals("float") ? numbers(vector) : base64(vector))
                    .append('}');
        }
        int tokens = SimulatedFields.tokens(inputs);
        return Buffer.buffer(json.append("],\"model\":")
                .append(SimulatedWire.quote(model))
                .append(",\"usage\":{\"prompt_tokens\":" + tokens + ",\"total_tokens\":" + tokens + "}}")
                .toString());
    }

    /** A string, strings, one array of tokens, or several. */
    private static List<JsonNode> inputs(JsonNode input) throws SimulatedRefusal {
        if (input.isString()) {
            return List.of(input);
        }
        if (!input.isArray() || input.isEmpty() || input.size() > INPUTS_MAX) {
            throw new SimulatedRefusal(
                    "input", "'input' must be a string or an array of 1 to " + INPUTS_MAX + " elements.");
        }
        if (input.get(0).isIntegralNumber()) {
            return List.of(input);
        }
        List<JsonNode> inputs = new ArrayList<>();
        input.forEach(inputs::add);
        return inputs;
    }

    private static float[] vector(JsonNode input, int dimensions, long seed) {
        var random = new SplittableRandom(seed ^ ((long) input.toString().hashCode() << 17));
        float[] vector = new float[dimensions];
        double squares = 0;
        for (int i = 0; i < dimensions; i++) {
            vector[i] = (float) (random.nextDouble() * 2 - 1);
            squares += (double) vector[i] * vector[i];
        }
        float length = (float) Math.sqrt(squares);
        for (int i = 0; i < dimensions; i++) {
            vector[i] /= length;
        }
        return vector;
    }

    private static String numbers(float[] vector) {
        var json = new StringBuilder("[");
        for (int i = 0; i < vector.length; i++) {
            json.append(i == 0 ? "" : ",").append(vector[i]);
        }
        return json.append(']').toString();
    }

    private static String base64(float[] vector) {
        ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        return '"' + Base64.getEncoder().encodeToString(bytes.array()) + '"';
    }
}
