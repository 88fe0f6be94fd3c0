package dev.sluice.gateway.translation;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** Images, by URL or within the request. */
final class Images {
    private static final Pattern DATA = Pattern.compile("(?i)data:([a-z0-9.+/-]+);base64,");

    private Images() {}

    /** @param part {@code {"type":"image_url","image_url":{…}}}, its type taken */
    static ObjectNode toBlock(Fields part) throws Untranslatable {
        Fields image = part.needObject("image_url");
        String url = image.text("url");
        image.onlyIf("detail", Usual.word("auto"));
        image.done();
        Matcher data = DATA.matcher(url.substring(0, Math.min(url.length(), 200)));
        ObjectNode source;
        if (data.lookingAt()) {
            source = Json.typed("base64")
                    .put("media_type", data.group(1).toLowerCase(Locale.ROOT))
                    .put("data", url.substring(data.end()));
        } else if (url.startsWith("https://") || url.startsWith("http://")) {
            source = Json.typed("url").put("url", url);
        } else {
            throw image.refuse("url", "an image must be a URL of http or https, or base64 in a data URL");
        }
        return Json.typed("image").set("source", source);
    }

    /** @param block {@code {"type":"image","source":{…}}}, its type taken */
    static ObjectNode toPart(Fields block) throws Untranslatable {
        Fields source = block.needObject("source");
        String type = source.text("type");
        String url = switch (type) {
            case "base64" -> "data:" + source.text("media_type") + ";base64," + source.text("data");
            case "url" -> source.text("url");
            default -> throw source.refuse("type", "images of type '" + type + "' have no counterpart");
        };
        source.done();
        return Json.typed("image_url").set("image_url", Json.object().put("url", url));
    }
}
