package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.Result.Answered;
import dev.sluice.compat.Result.Failed;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * A gateway and a client of one of the APIs that speaks to it through a tap; a subclass names the client and its
 * exceptions.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientContract<C> implements Incidents {
    private CompatGateway gateway;
    private Tap tap;
    private C client;

    abstract C connect(String baseUrl);

    /** What this API's clients append their paths to. */
    abstract String baseUrl(int port);

    /** Simple name of the exception that the client's documentation has for a status. */
    abstract String exceptionFor(int status);

    /** What the user sees when the wait ends after the head of a stream was sent. */
    abstract Failed timeoutWithinAStream();

    @Override
    public final CompatGateway gateway() {
        return gateway;
    }

    final Tap tap() {
        return tap;
    }

    /** Speaks to the gateway through the tap. */
    final C client() {
        return client;
    }

    final C connect(int port) {
        return connect(baseUrl(port));
    }

    @BeforeAll
    void startGateway() throws IOException {
        gateway = CompatGateway.start();
    }

    @AfterAll
    void stopGateway() {
        gateway.close();
    }

    @BeforeEach
    void tapTheWire() throws IOException {
        tap = Tap.before(gateway.port());
        client = connect(tap.port());
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        gateway.awaitIdle();
        tap.close();
    }

    static Answered answered(Result result) {
        assertThat(result).isInstanceOf(Answered.class);
        return (Answered) result;
    }
}
