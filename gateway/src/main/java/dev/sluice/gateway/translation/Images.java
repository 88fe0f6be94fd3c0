package dev.sluice.gateway.translation;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Images, by URL or within the request. */
final class Images {
    private Images() {}

    /** @param part {@code {"type":"image_url","image_url":{…}}}, its type taken */
    static ObjectNode toBlock(Fields part) throws Untranslatable {
        Fields image = part.needObject("image_url");
        String url = image.text("url");
        image.onlyIf("detail", Usual.word("auto"));
        image.done();
        Optional<DataUrl> data = DataUrl.of(url);
        ObjectNode source;
        if (data.isPresent()) {
            source = Json.typed("base64")
                    .put("media_type", data.get().mediaType())
                    .put("data", data.get().data());
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
            case "base64" -> new DataUrl(source.text("media_type"), source.text("data")).text();
            case "url" -> source.text("url");
            default -> throw source.refuse("type", "images of type '" + type + "' have no counterpart");
        };
        source.done();
        return Json.typed("image_url").set("image_url", Json.object().put("url", url));
    }
}
