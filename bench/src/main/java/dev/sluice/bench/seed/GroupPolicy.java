package dev.sluice.bench.seed;

/**
 * Queue policy of one group.
 *
 * @param maxQueue waiting items allowed; 0 or less = the default
 * @param queueTimeoutNanos longest wait in nanoseconds; 0 = none, if {@code queueTimeoutSet}
 * @param queueTimeoutSet tells an explicit 0 from an absent value
 */
public record GroupPolicy(int maxQueue, long queueTimeoutNanos, boolean queueTimeoutSet) {
    static final int DEFAULT_MAX_QUEUE = 256;
    static final long DEFAULT_QUEUE_TIMEOUT_NANOS = 30_000_000_000L;

    public static GroupPolicy of(int maxQueue, long queueTimeoutNanos) {
        return new GroupPolicy(maxQueue, queueTimeoutNanos, true);
    }

    /** normalizeGroupPolicy, lines 16-28. */
    GroupPolicy normalized() {
        int queue = maxQueue <= 0 ? DEFAULT_MAX_QUEUE : maxQueue;
        boolean set = queueTimeoutNanos > 0 || queueTimeoutSet;
        return new GroupPolicy(queue, set ? queueTimeoutNanos : DEFAULT_QUEUE_TIMEOUT_NANOS, true);
    }

    /** updateGroupPolicyLocked, lines 53-67: only fields that are configured override. */
    GroupPolicy updatedBy(GroupPolicy next) {
        int queue = next.maxQueue > 0 ? next.maxQueue : maxQueue;
        boolean set = next.queueTimeoutNanos > 0 || next.queueTimeoutSet;
        long timeout = set ? next.queueTimeoutNanos : queueTimeoutNanos;
        boolean same = queue == maxQueue && timeout == queueTimeoutNanos && (queueTimeoutSet || !set);
        return same ? this : new GroupPolicy(queue, timeout, queueTimeoutSet || set);
    }
}
