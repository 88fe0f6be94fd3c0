package dev.sluice.compat;

import java.util.List;

/** A client of the Responses API. Each call throws {@link Refused} with what the client's own exception says. */
interface ResponsesClient {
    /** @param text of all messages of the output */
    record Made(String id, String status, String text) {}

    /** @param id of the response in it, empty if there is none */
    record Event(String type, long number, String id, String status, String delta) {}

    /**
     * What to ask for.
     *
     * @param previous empty to begin anew
     */
    record Order(String input, boolean background, String previous, int tokensMax, boolean store) {
        static Order of(String input) {
            return new Order(input, false, "", 8, true);
        }

        Order inTheBackground() {
            return new Order(input, true, previous, tokensMax, store);
        }

        Order after(String response) {
            return new Order(input, background, response, tokensMax, store);
        }

        Order upTo(int tokens) {
            return new Order(input, background, previous, tokens, store);
        }

        Order unkept() {
            return new Order(input, background, previous, tokensMax, false);
        }
    }

    /** The client's exception. */
    final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Result.Failed failure;

        Refused(Result.Failed failure) {
            super(failure.toString());
            this.failure = failure;
        }

        Result.Failed failure() {
            return failure;
        }
    }

    Made create(Order order);

    /** Reads {@code most} events, then leaves. */
    List<Event> stream(Order order, int most);

    Made retrieve(String id);

    List<Event> resume(String id, long after);

    Made cancel(String id);

    void delete(String id);

    /** The texts of the messages that a response is an answer to, read page by page. */
    List<String> inputTexts(String id);
}
