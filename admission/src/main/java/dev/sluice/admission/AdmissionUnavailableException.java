package dev.sluice.admission;

/** The engine cannot decide now, for example because its database is away. */
public final class AdmissionUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public AdmissionUnavailableException(String message) {
        super(message);
    }

    public AdmissionUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
