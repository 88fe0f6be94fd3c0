package dev.sluice.postgres.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** As whom the server runs. PostgreSQL refuses to run as root, and rightly so: whoever gets into it gets its files. */
sealed interface Identity {
    /** The gateway is an ordinary user, and so is the server. */
    record Own() implements Identity {}

    /** The gateway is root; the server becomes this user for good, with no way back. */
    record Dropped(String user, long uid, long gid) implements Identity {}

    /** The command that runs {@code command} as this identity. */
    default List<String> running(List<String> command) {
        return switch (this) {
            case Own unused -> command;
            case Dropped to -> {
                var whole = new ArrayList<>(List.of(
                        "setpriv",
                        "--reuid=" + to.uid(),
                        "--regid=" + to.gid(),
                        "--clear-groups",
                        "--no-new-privs",
                        "--"));
                whole.addAll(command);
                yield List.copyOf(whole);
            }
        };
    }

    static Identity choose(Optional<String> wish, Commands commands) throws IOException {
        if (new UnixSystem().getUid() == 0) {
            return dropped(wish.isPresent() ? existing(wish.get()) : usual(), commands);
        }
        var own = System.getProperty("user.name");
        if (wish.isPresent() && !wish.get().equals(own)) {
            throw new EmbeddedPostgresException("database.user is " + wish.get() + ", but the gateway runs as " + own
                    + ", and only root can become another user. Remove the setting, or start the gateway as "
                    + wish.get() + ".");
        }
        return new Own();
    }

    private static Identity dropped(String user, Commands commands) throws IOException {
        var uid = number(commands.mustRun(new Own(), List.of("id", "-u", user)));
        var gid = number(commands.mustRun(new Own(), List.of("id", "-g", user)));
        if (uid == 0) {
            throw new EmbeddedPostgresException("PostgreSQL does not run as root. Set database.user to another user.");
        }
        var identity = new Dropped(user, uid, gid);
        verify(identity, commands);
        return identity;
    }

    /** Tells why the drop is impossible here, for example in a container without CAP_SETUID. */
    private static void verify(Identity.Dropped identity, Commands commands) {
        String why;
        try {
            var result = commands.run(Duration.ofSeconds(10), identity.running(List.of("id", "-u")));
            if (result.succeeded() && number(result.output()) == identity.uid()) {
                return;
            }
            why = result.output().strip();
        } catch (IOException missing) {
            why = String.valueOf(missing.getMessage());
        }
        throw new EmbeddedPostgresException("The gateway runs as root, PostgreSQL must not, and becoming "
                + identity.user() + " by setpriv fails: " + why + ". Start the gateway as an ordinary user (systemd:"
                + " User=, container: USER), or use database.mode: external.");
    }

    private static String usual() throws IOException {
        for (var name : List.of("postgres", "nobody")) {
            if (exists(name)) {
                return name;
            }
        }
        throw new EmbeddedPostgresException("The gateway runs as root, PostgreSQL must not, and there is neither a user"
                + " postgres nor nobody. Set database.user, or start the gateway as an ordinary user.");
    }

    private static String existing(String name) throws IOException {
        if (!exists(name)) {
            throw new EmbeddedPostgresException("database.user is " + name + ", but there is no such user here.");
        }
        return name;
    }

    private static boolean exists(String name) throws IOException {
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
            return true;
        } catch (UserPrincipalNotFoundException missing) {
            return false;
        }
    }

    private static long number(String text) throws IOException {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException unexpected) {
            throw new IOException("id answered " + text, unexpected);
        }
    }

    /** The first folder on the way from the root to {@code goal} that this identity may not enter. */
    default Optional<Path> closedOnTheWayTo(Path goal, Commands commands) throws IOException {
        var script = "for d do [ -x \"$d\" ] || { printf %s \"$d\"; exit 3; }; done";
        var command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        for (Path way = goal; way != null; way = way.getParent()) {
            command.add(4, way.toString());
        }
        var result = commands.run(Duration.ofSeconds(10), running(command));
        if (result.exit() == 3) {
            return Optional.of(Path.of(result.output()));
        }
        return Optional.empty();
    }
}
