package dev.sluice.postgres;

import dev.sluice.admission.Ask;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * How an engine of this process takes part.
 *
 * @param schema the schema of its own, for example {@code sluice}
 * @param holder this process, unique among all that share the schema; asks of its clients name it
 * @param batchMax operations decided at once, at least 1
 * @param poll how long another's decisions may stay unseen if the hint is lost
 * @param heartbeat how often this holder says that it lives; a third of the waiter lease
 * @param audit how often mirror, tables and journal are compared
 * @param snapshotWarning from which age on a snapshot that somebody holds in the database is warned of
 * @param isFirm whether grants to an ask need no confirmation: those to this holder's own waiters
 * @param monotonic nanoseconds of any origin
 * @param told what to make of an instant that the database tells, in Unix microseconds; tests step time with it
 */
public record Options(
        String schema,
        String holder,
        int batchMax,
        Duration poll,
        Duration heartbeat,
        Duration audit,
        Duration snapshotWarning,
        Predicate<Ask> isFirm,
        LongSupplier monotonic,
        LongUnaryOperator told) {
    public Options {
        if (!schema.matches("[A-Za-z_][A-Za-z0-9_]{0,62}")) {
            throw new IllegalArgumentException(
                    "a schema is a plain name of at most 63 characters, not '" + schema + "'");
        }
        if (holder.isBlank() || holder.equals("*") || batchMax < 1) {
            throw new IllegalArgumentException("a holder needs a name, a batch at least one operation");
        }
    }

    public static Options of(String schema, String holder) {
        return new Options(
                schema,
                holder,
                256,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofHours(1),
                Duration.ofMinutes(1),
                ask -> {
                    String waits = Effects.holder(ask);
                    return waits == null || waits.equals(holder);
                },
                System::nanoTime,
                LongUnaryOperator.identity());
    }

    public Options withPoll(Duration period) {
        return new Options(
                schema, holder, batchMax, period, heartbeat, audit, snapshotWarning, isFirm, monotonic, told);
    }

    public Options withHeartbeat(Duration period) {
        return new Options(schema, holder, batchMax, poll, period, audit, snapshotWarning, isFirm, monotonic, told);
    }

    public Options withSnapshotWarning(Duration age) {
        return new Options(schema, holder, batchMax, poll, heartbeat, audit, age, isFirm, monotonic, told);
    }

    /** @param nanos must run at the pace of real time, from any origin */
    public Options withMonotonic(LongSupplier nanos) {
        return new Options(schema, holder, batchMax, poll, heartbeat, audit, snapshotWarning, isFirm, nanos, told);
    }
}
