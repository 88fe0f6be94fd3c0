package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Properties;

/** The server that the tests of one run share: see {@link dev.sluice.postgres.TestDatabase}. */
public record TestServer(String url, String user, String password) {
    private static final TestServer SHARED = start(wish());

    public static TestServer shared() {
        return SHARED;
    }

    public Properties login() {
        var login = new Properties();
        login.setProperty("user", user);
        login.setProperty("password", password);
        return login;
    }

    private static String wish() {
        return Optional.ofNullable(System.getProperty("sluice.test.postgres"))
                .or(() -> Optional.ofNullable(System.getenv("SLUICE_TEST_POSTGRES_URL")))
                .orElse("embedded");
    }

    private static TestServer start(String wish) {
        try {
            return switch (wish) {
                case "embedded" -> embedded();
                case "system" -> system();
                default -> external(wish);
            };
        } catch (IOException failed) {
            throw new ExceptionInInitializerError(failed);
        }
    }

    private static TestServer embedded() throws IOException {
        var folder = OpenFolder.create();
        var database = EmbeddedPostgres.start(Options.in(Template.copyTo(folder.resolve("home"))));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            database.close();
            Shell.run("rm", "-rf", folder.toString());
        }));
        return new TestServer(database.url(), database.user(), database.password());
    }

    private static TestServer system() throws IOException {
        var database = SystemPostgres.start();
        Runtime.getRuntime().addShutdownHook(new Thread(database::close));
        return new TestServer(database.url(), Roles.APPLICATION, database.password());
    }

    /** The login is part of the URL there. */
    private static TestServer external(String url) {
        var login = new Properties();
        for (var pair : URI.create(url.substring("jdbc:".length())).getQuery().split("&")) {
            var parts = pair.split("=", 2);
            login.setProperty(parts[0], parts[1]);
        }
        return new TestServer(url, login.getProperty("user"), login.getProperty("password"));
    }
}
