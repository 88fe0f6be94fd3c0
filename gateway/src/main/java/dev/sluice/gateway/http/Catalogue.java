package dev.sluice.gateway.http;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** How an API family lists models. */
public interface Catalogue {
    /** Whether a client that sends these headers reads this family's lists. */
    boolean isMeant(MultiMap headers);

    /** How the family says that there is none. */
    Dialect dialect();

    /**
     * @param models names of those that the caller may use, in a lasting order
     * @param query what stands behind the path
     */
    Listing list(List<String> models, MultiMap query);

    Buffer one(String model);

    /** What becomes of the question for a list. */
    sealed interface Listing {
        record Page(Buffer json) implements Listing {}

        record Wrong(Problem problem) implements Listing {}
    }
}
