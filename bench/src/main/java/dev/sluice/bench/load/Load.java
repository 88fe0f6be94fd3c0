package dev.sluice.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Clients that each send a request, read the answer to its end and send the next: a closed loop. All run on the thread
 * that calls; between two calls the connections stay as they are.
 */
public final class Load implements AutoCloseable {
    private final Selector selector;
    private final List<Client> clients = new ArrayList<>();
    private final int port;
    private final Request request;
    private final Latencies latencies = new Latencies();
    private long answers;
    private long events;

    public Load(int port, Request request) {
        this.port = port;
        this.request = request;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens more connections and sends the first request on each. */
    public void connect(int connections) {
        try {
            for (int i = 0; i < connections; i++) {
                Client client = new Client(this, port, request);
                client.register(selector);
                clients.add(client);
                client.send();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps the clients busy for so long; throws if any of them gets another answer than the expected one. */
    public void runFor(long nanos) {
        long end = System.nanoTime() + nanos;
        try {
            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                turn(Math.max(1, left / 1_000_000));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void turn(long waitMillis) throws IOException {
        selector.select(waitMillis);
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            ((Client) key.attachment()).readable();
        }
    }

    void answered(long nanos) {
        answers++;
        latencies.add(nanos);
    }

    void received(int newEvents) {
        events += newEvents;
    }

    /** Answers read to their end since the start. */
    public long answers() {
        return answers;
    }

    /** From the first byte sent to the last one read, of the answers since the start or the last {@code clear}. */
    public Latencies latencies() {
        return latencies;
    }

    /** SSE events read since the start. */
    public long events() {
        return events;
    }

    @Override
    public void close() {
        try {
            for (Client client : clients) {
                client.close();
            }
            clients.clear();
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
