package dev.sluice.gateway.config;

import java.io.PrintWriter;
import java.security.SecureRandom;

/** The command {@code sluice key}: prints a new key, which is kept nowhere, and its line for the configuration. */
public final class NewKey {
    private NewKey() {}

    public static void run(SecureRandom random, PrintWriter out) {
        ApiKey key = ApiKey.generate(random);
        out.println("key, shown only now: " + key.reveal());
        out.println("for the configuration, under groups[].keys:");
        out.println("  - {name: change-me, sha256: \"" + key.sha256() + "\"}");
        out.flush();
    }
}
