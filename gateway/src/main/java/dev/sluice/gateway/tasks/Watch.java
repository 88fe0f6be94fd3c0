package dev.sluice.gateway.tasks;

import dev.sluice.gateway.rounds.Rounds;
import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.EventStore.Events;
import dev.sluice.postgres.responses.EventStore.Mark;
import dev.sluice.postgres.tasks.StoredTask;
import dev.sluice.postgres.tasks.TaskStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Looks at tasks on behalf of all clients of this process that follow one: two statements a round, however many they
 * are, and none while there is nobody.
 */
public final class Watch implements AutoCloseable {
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int AT_ONCE = 50;

    /** One who waits for one piece of news of a task; for the next one there is another. On the watch's thread only. */
    public interface Look {
        UUID task();

        /** The number of the first event that is wanted; empty if events are not. */
        OptionalLong from();

        /**
         * @param task as it stood before {@code events} were read, so that of one that has ended they are all there;
         *     empty if it is gone
         * @return whether that was news, after which it is asked no more
         */
        boolean sees(Optional<StoredTask> task, List<Events> events);
    }

    private final TaskStore tasks;
    private final EventStore events;
    private final Set<Look> looks = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Rounds rounds;

    public Watch(TaskStore tasks, EventStore events) {
        this.tasks = tasks;
        this.events = events;
        this.rounds = new Rounds(
                Thread.ofPlatform().name("sluice-task-watch").daemon(),
                "news of tasks that are followed",
                () -> true,
                ROUND_NANOS,
                this::round);
    }

    public void start() {
        rounds.start();
    }

    /** Asks {@code look} each round until it has seen news. */
    public void add(Look look) {
        looks.add(look);
        rounds.hint();
    }

    public void remove(Look look) {
        looks.remove(look);
    }

    private long round() throws SQLException {
        List<Look> all = new ArrayList<>();
        synchronized (looks) {
            all.addAll(looks);
        }
        for (int from = 0; from < all.size() && !rounds.isStopped(); from += AT_ONCE) {
            round(all.subList(from, Math.min(all.size(), from + AT_ONCE)));
        }
        return looks.isEmpty() ? IDLE_NANOS : ROUND_NANOS;
    }

    private void round(List<Look> some) throws SQLException {
        Map<UUID, StoredTask> states =
                tasks.states(some.stream().map(Look::task).collect(Collectors.toSet()));
        List<Look> readers =
                some.stream().filter(look -> look.from().isPresent()).toList();
        List<List<Events>> found = events.from(readers.stream()
                .map(look -> new Mark(look.task(), look.from().getAsLong()))
                .toList());
        Map<Look, List<Events>> news = new IdentityHashMap<>();
        for (int i = 0; i < readers.size(); i++) {
            news.put(readers.get(i), found.get(i));
        }
        for (Look look : some) {
            if (look.sees(Optional.ofNullable(states.get(look.task())), news.getOrDefault(look, List.of()))) {
                looks.remove(look);
            }
        }
    }

    @Override
    public void close() {
        rounds.stop();
    }
}
