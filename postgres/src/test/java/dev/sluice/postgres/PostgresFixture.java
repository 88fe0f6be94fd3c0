package dev.sluice.postgres;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Policies;
import dev.sluice.admission.contract.AdmissionFixture;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The durable engine on a real server, on a clock that only the test moves. */
final class PostgresFixture implements AdmissionFixture {
    private final LedgerSchema schema;
    private final AtomicLong nanos = new AtomicLong(TimeUnit.DAYS.toNanos(20_000));
    private @Nullable PostgresAdmission admission;

    PostgresFixture(LedgerSchema schema) {
        this.schema = schema;
    }

    @Override
    public Admission open(Policies policies) {
        try {
            schema.empty();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        Options options = Options.of(schema.name(), "test");
        Options stepped = new Options(
                options.schema(),
                options.holder(),
                options.batchMax(),
                options.poll(),
                options.heartbeat(),
                options.audit(),
                options.snapshotWarning(),
                ask -> true,
                nanos::get,
                any -> nanos.get() / 1_000);
        PostgresAdmission opened = PostgresAdmission.start(schema.source(), policies, stepped);
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(opened::isAvailable);
        admission = opened;
        return opened;
    }

    @Override
    public void elapse(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public void tick() {
        settle();
    }

    @Override
    public void settle() {
        // Twice: a grant that needs a confirmation gets it in the batch after its own.
        if (admission != null && !admission.isClosed()) {
            admission.settled();
            admission.settled();
        }
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void close() {
        if (admission != null) {
            admission.close();
        }
    }
}
