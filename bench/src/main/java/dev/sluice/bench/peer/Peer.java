package dev.sluice.bench.peer;

import dev.sluice.bench.load.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** A gateway that can be measured; its configuration is the template of the same name in bench/peers. */
enum Peer {
    HAPROXY("haproxy.cfg") {
        @Override
        List<String> command(Path configuration) {
            return List.of("haproxy", "-db", "-f", configuration.toString());
        }
    },
    NGINX("nginx.conf") {
        @Override
        List<String> command(Path configuration) {
            return List.of("nginx", "-p", configuration.getParent() + "/", "-c", configuration.toString());
        }
    },
    SLUICE("sluice.yaml") {
        @Override
        List<String> command(Path configuration) {
            return serve(configuration);
        }
    },
    /** Durable: with a PostgreSQL of its own. */
    SLUICE_EMBEDDED("sluice.yaml") {
        @Override
        List<String> command(Path configuration) {
            return serve(configuration);
        }

        @Override
        String database(Path dir) {
            return "mode: embedded\n  dir: " + dir.resolve("data");
        }
    };

    private final String template;

    Peer(String template) {
        this.template = template;
    }

    abstract List<String> command(Path configuration);

    String database(Path dir) {
        return "mode: memory";
    }

    private static List<String> serve(Path configuration) {
        return List.of("./sluice", "serve", "--config", configuration.toString());
    }

    Path configure(Path dir, int port, int admin, int upstream) throws IOException {
        String text = Files.readString(Path.of("bench", "peers", template))
                .replace("@PORT@", Integer.toString(port))
                .replace("@ADMIN@", Integer.toString(admin))
                .replace("@UPSTREAM@", Integer.toString(upstream))
                .replace("@DATABASE@", database(dir))
                .replace("@KEY_SHA256@", sha256(Request.KEY))
                .replace("@DIR@", dir.toString());
        return Files.writeString(dir.resolve(template), text);
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Peer named(String label) {
        return valueOf(label.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static String sha256(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
