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
            Optional<Integer> queue = fields.optionalWhole("queue", Concurrency.QUEUE, "0");
            if (section.has("max-wait") && (!section.has("queue") || queue.equals(Optional.of(0)))) {
                section.fault("max-wait", "has no effect without `queue`");
            }
            Concurrency read = new Concurrency(
                    fields.whole("limit", Concurrency.LIMIT, byDefault.limit()),
                    queue.orElse(byDefault.queue()),
                    fields.duration("max-wait", Concurrency.MAX_WAIT, byDefault.maxWait()),
                    leases
                            ? fields.duration("lease-ttl", Concurrency.LEASE_TTL, byDefault.leaseTtl())
                            : byDefault.leaseTtl());
            if (!leases) {
                section.misplaced(
                        "lease-ttl", "belongs to `served-by`: all leases of a request live as long as that one");
            }
            return read;
        }
    }
}
