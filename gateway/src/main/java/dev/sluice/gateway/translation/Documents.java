package dev.sluice.gateway.translation;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** PDF files within a request, the one kind of document that both APIs take in the same way. */
final class Documents {
    private static final String PDF = "application/pdf";
    // A name is required there.
    private static final String UNNAMED = "document.pdf";

    private Documents() {}

    /** @param part {@code {"type":"file","file":{…}}}, its type taken */
    static ObjectNode toBlock(Fields part) throws Untranslatable {
        Fields file = part.needObject("file");
        file.onlyIf("file_id", Usual.word(""));
        DataUrl pdf = DataUrl.of(file.text("file_data"))
                .filter(url -> url.mediaType().equals(PDF))
                .orElseThrow(() -> file.refuse("file_data", "a file must be a PDF, base64 in a data URL"));
        ObjectNode block = Json.typed("document")
                .set("source", Json.typed("base64").put("media_type", PDF).put("data", pdf.data()));
        file.optionalText("filename").ifPresent(name -> block.put("title", name));
        file.done();
        return block;
    }

    /** @param block {@code {"type":"document","source":{…}}}, its type taken */
    static ObjectNode toPart(Fields block) throws Untranslatable {
        Fields source = block.needObject("source");
        if (!source.text("type").equals("base64")) {
            throw source.refuse("type", "a document must be a PDF in base64, or text in a block of its own");
        }
        if (!source.text("media_type").equals(PDF)) {
            throw source.refuse("media_type", "a document must be a PDF");
        }
        ObjectNode file = Json.object().put("file_data", new DataUrl(PDF, source.text("data")).text());
        source.done();
        file.put("filename", block.optionalText("title").orElse(UNNAMED));
        Optional<Fields> citations = block.object("citations");
        if (citations.isPresent()) {
            citations.get().onlyIf("enabled", Usual.FALSE);
            citations.get().done();
        }
        return Json.typed("file").set("file", file);
    }
}
