package dev.sluice.gateway.files;

import dev.sluice.postgres.files.StoredFile;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Files as their clients see them. */
final class FileJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private FileJson() {}

    static Buffer of(StoredFile file) {
        return bytes(node(file));
    }

    private static ObjectNode node(StoredFile file) {
        return NODES.objectNode()
                .put("id", FileIds.FILE.text(file.id()))
                .put("object", "file")
                .put("bytes", file.bytes())
                .put("created_at", file.created().getEpochSecond())
                .put("expires_at", file.expires().getEpochSecond())
                .put("filename", file.name())
                .put("purpose", file.purpose().name().toLowerCase(Locale.ROOT))
                .put("status", "processed");
    }

    static Buffer list(List<StoredFile> files, int limit) {
        return Page.of(files, limit, FileJson::node);
    }

    static Buffer deleted(String id) {
        return bytes(NODES.objectNode().put("id", id).put("object", "file").put("deleted", true));
    }

    private static Buffer bytes(ObjectNode node) {
        return Buffer.buffer(JSON.writeValueAsBytes(node));
    }
}
