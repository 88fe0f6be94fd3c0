package dev.sluice.gateway.rounds;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that looks for work now and then, sooner after a hint, until it is stopped. A hint may be lost, so each pause
 * has an end. A round that fails is logged, unless the one before failed too, and the next one tries again.
 */
public final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
    private static final long CLOSE_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** What is done each time, on the thread of the rounds. */
    @FunctionalInterface
    public interface Round {
        /** @return ns until the next round if no hint comes, give or take a fifth; none for the next one at once */
        long go() throws SQLException;
    }

    private final Thread thread;
    private final String subject;
    private final BooleanSupplier possible;
    private final long pauseNanos;
    private final Round round;
    private volatile boolean stopped;
    private boolean failing;

    /**
     * @param subject what is looked for, for people
     * @param possible whether a round can be made now
     * @param pauseNanos until the next one if not, or if one failed
     */
    public Rounds(Thread.Builder thread, String subject, BooleanSupplier possible, long pauseNanos, Round round) {
        this.thread = thread.unstarted(this::run);
        this.subject = subject;
        this.possible = possible;
        this.pauseNanos = pauseNanos;
        this.round = round;
    }

    public void start() {
        thread.start();
    }

    /** There may be work. Safe on any thread. */
    public void hint() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!stopped) {
            long pause = pauseNanos;
            try {
                if (possible.getAsBoolean()) {
                    pause = round.go();
                }
                failing = false;
            } catch (SQLException | RuntimeException e) {
                if (!failing) {
                    LOG.warn("cannot look for {}, trying again: {}", subject, e.getMessage());
                }
                failing = true;
            }
            if (pause > 0 && !stopped) {
                // Else all processes on a database would come at the same moment.
                long fifth = pause / 5;
                LockSupport.parkNanos(
                        pause - fifth + ThreadLocalRandom.current().nextLong(2 * fifth + 1));
            }
        }
    }

    /** Begins no other round. */
    public void stop() {
        stopped = true;
        hint();
    }

    public boolean isStopped() {
        return stopped;
    }

    /** Waits for the end of the round in progress and of what rounds have begun, for {@code patience} at most. */
    public void awaitEnd(BooleanSupplier isBegunOver, Duration patience) {
        long start = System.nanoTime();
        while ((thread.isAlive() || !isBegunOver.getAsBoolean()) && System.nanoTime() - start < patience.toNanos()) {
            LockSupport.parkNanos(CLOSE_LOOK_NANOS);
        }
    }
}
