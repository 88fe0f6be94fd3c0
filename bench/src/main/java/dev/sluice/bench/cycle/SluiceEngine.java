package dev.sluice.bench.cycle;

import dev.sluice.admission.Policies;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.postgres.Options;
import dev.sluice.postgres.PostgresAdmission;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** The durable engine as one process of several that may share a schema. */
public record SluiceEngine(PostgresAdmission admission, String holder) implements AutoCloseable {
    private static final int QUEUE = 1_000_000;
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    public static SluiceEngine start(String url, Policies policies) {
        PGSimpleDataSource direct = new PGSimpleDataSource();
        direct.setUrl(url);
        String holder = "bench-" + UUID.randomUUID();
        PostgresAdmission admission = PostgresAdmission.start(direct, policies, Options.of("sluice", holder));
        long end = System.nanoTime() + START_NANOS_MAX;
        while (!admission.isAvailable()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the engine does not become available");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return new SluiceEngine(admission, holder);
    }

    public static ScopePolicy policy(int limit) {
        return ScopePolicy.limit(limit).queue(QUEUE).maxWait(Duration.ofHours(24));
    }

    @Override
    public void close() {
        admission.close();
    }
}
