package dev.sluice.postgres;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Policies;
import dev.sluice.admission.contract.AdmissionFixture;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** The durable engine on a real server, alone or two as one, on a clock that only the test moves. */
final class PostgresFixture implements AdmissionFixture {
    private final LedgerSchema schema;
    private final AtomicLong nanos = new AtomicLong(TimeUnit.DAYS.toNanos(20_000));
    private final int engines;
    private final List<PostgresAdmission> opened = new ArrayList<>();

    PostgresFixture(LedgerSchema schema) {
        this(schema, 1);
    }

    PostgresFixture(LedgerSchema schema, int engines) {
        this.schema = schema;
        this.engines = engines;
    }

    @Override
    public Admission open(Policies policies) {
        try {
            schema.empty();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        for (int i = 1; i <= engines; i++) {
            opened.add(PostgresAdmission.start(schema.source(), policies, stepped("test-" + i)));
        }
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .until(() -> opened.stream().allMatch(PostgresAdmission::isAvailable));
        return engines == 1 ? opened.getFirst() : new TwoEngines(opened.getFirst(), opened.getLast());
    }

    private Options stepped(String holder) {
        Options options = Options.of(schema.name(), holder);
        return new Options(
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
        // Twice: a grant that needs a confirmation gets it in the batch after its own, and each hears of the other's.
        for (int round = 0; round < 2; round++) {
            opened.stream().filter(engine -> !engine.isClosed()).forEach(PostgresAdmission::settled);
        }
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void close() {
        opened.forEach(PostgresAdmission::close);
    }
}
