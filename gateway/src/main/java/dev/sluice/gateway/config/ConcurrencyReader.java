package dev.sluice.gateway.config;

import java.util.Optional;

/** Reads {@code concurrency}, of a platform model or of a group. */
final class ConcurrencyReader {
    private ConcurrencyReader() {}

    static Optional<Concurrency> ofPlatformModel(Section parent) {
        return parent.section("concurrency", "unlimited").map(section -> read(section, true));
    }

    static Concurrency ofGroup(Section parent) {
        return parent.section("concurrency", "unlimited")
                .map(section -> read(section, false))
                .orElse(Concurrency.UNLIMITED);
    }

    private static Concurrency read(Section section, boolean leases) {
        try (section) {
            Fields fields = new Fields(section);
            Concurrency byDefault = Concurrency.UNLIMITED;
            Concurrency read = new Concurrency(
                    fields.whole("limit", Concurrency.LIMIT, byDefault.limit()),
                    fields.whole("queue", Concurrency.QUEUE, byDefault.queue()),
                    fields.duration("max-wait", Concurrency.MAX_WAIT, byDefault.maxWait()),
                    leases
                            ? fields.duration("lease-ttl", Concurrency.LEASE_TTL, byDefault.leaseTtl())
                            : byDefault.leaseTtl());
            if (!leases) {
                section.misplaced(
                        "lease-ttl", "belongs to `served-by`: all leases of a request live as long as that one");
            }
            if (!read.queues() && section.has("max-wait")) {
                section.fault("max-wait", "has no effect without `queue`");
            } else if (!read.limited() && section.has("queue")) {
                section.fault("queue", "has no effect without `limit`");
            }
            return read;
        }
    }
}
