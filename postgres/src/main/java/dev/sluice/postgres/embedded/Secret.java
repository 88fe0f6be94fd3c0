package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.Base64;

/** Passwords: 192 random bits. The superuser's is kept; the application's is made anew at each start and never stored. */
final class Secret {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secret() {}

    static String ofSuperuser(Home home) throws IOException {
        if (Files.exists(home.secret())) {
            return Files.readString(home.secret()).strip();
        }
        if (home.hasCluster()) {
            throw new EmbeddedPostgresException("The file " + home.secret() + " is missing, which holds the password of"
                    + " the database in " + home.cluster() + ". Put it back from the backup; docs/operation.md tells"
                    + " how to set a new one.");
        }
        // On disk before initdb sees it, so that there is never a database without its password.
        Durable.write(home.secret(), random() + "\n");
        return Files.readString(home.secret()).strip();
    }

    static String random() {
        var bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
