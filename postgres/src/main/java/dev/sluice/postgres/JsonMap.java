package dev.sluice.postgres;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** Reads the ledger's own JSON into maps, lists, strings, longs and {@code true}. */
final class JsonMap {
    private JsonMap() {}

    static Map<String, Object> parse(String text) {
        try (JsonParser parser = RowCodec.JSON.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            return object(parser);
        }
    }

    static List<Object> parseList(String text) {
        try (JsonParser parser = RowCodec.JSON.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            return array(parser);
        }
    }

    private static Map<String, Object> object(JsonParser parser) {
        Map<String, Object> map = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            map.put(name, value(parser));
        }
        return map;
    }

    private static List<Object> array(JsonParser parser) {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(parser));
        }
        return list;
    }

    private static Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_TRUE -> Boolean.TRUE;
            default -> throw new IllegalStateException("the ledger writes no " + parser.currentToken());
        };
    }
}
