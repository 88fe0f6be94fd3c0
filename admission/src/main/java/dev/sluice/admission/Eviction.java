package dev.sluice.admission;

/** Why a task left the queue without running. */
public enum Eviction {
    /** Its deadline passed. */
    QUEUE_TIMEOUT("queue_timeout"),
    /** Its own client asked for it. */
    CANCELLED("cancelled"),
    /** Its waiter's lease lapsed. */
    WAITER_LOST("client_disconnected"),
    /** Another connection took the task over; only the old connection is told so, the task goes on waiting. */
    SUPERSEDED("superseded"),
    /** An operator removed it. */
    OPERATOR("evicted"),
    /** Its route was removed from the configuration. */
    ROUTE_REMOVED("evicted"),
    /** Every candidate provider was disabled, drained or removed. */
    NO_CAPACITY("no_capacity"),
    /** Its amount no longer fits a lowered limit. */
    AMOUNT_UNSATISFIABLE("amount_unsatisfiable"),
    /** The process stops. */
    SHUTTING_DOWN("shutting_down");

    private final String code;

    Eviction(String code) {
        this.code = code;
    }

    /** The word for it in errors that clients get. */
    public String code() {
        return code;
    }
}
