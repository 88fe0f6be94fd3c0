package dev.sluice.admission;

/** The engine cannot decide now, for example because its database is away. */
public final class AdmissionUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message says what is away and what will happen to the request */
    public AdmissionUnavailableException(String message) {
        super(message);
    }

    /** @param cause the fault that tells of the outage; the message as in the other constructor */
    public AdmissionUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
