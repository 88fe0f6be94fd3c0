package dev.sluice.gateway.load;

import dev.sluice.gateway.RawClient;
import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plays one {@link Visit} over a real connection, on the calling thread. */
final class Visitor {
    private static final Pattern COMMENT = Pattern.compile(": queued position=\\d+( eta=\\d+s)?\n\n");
    private static final Pattern CODE = Pattern.compile("\"code\":\"(\\w+)\"");
    private static final int SLOW_BYTES = 8;

    private final int port;
    private final Visit visit;
    private final CountDownLatch stormOver;

    Visitor(int port, Visit visit, CountDownLatch stormOver) {
        this.port = port;
        this.visit = visit;
        this.stormOver = stormOver;
    }

    /** @return what a good client got; {@code left} for others */
    String play() throws IOException, InterruptedException {
        pause(visit.startMillis());
        boolean deaf = visit.manners() == Manners.NEVER_READS || visit.manners() == Manners.READS_A_BYTE_A_SECOND;
        try (RawClient client = RawClient.connect(port, deaf ? 4_096 : 0)) {
            if (visit.manners() == Manners.GOOD) {
                return readAll(client.send(request()));
            }
            misbehave(client);
            if (visit.reset()) {
                client.reset();
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError(visit + " was kept without a byte", e);
        } catch (IOException cut) {
            if (visit.manners() == Manners.GOOD) {
                throw cut;
            }
            // The gateway gave the client up first.
        }
        return "left";
    }

    private String request() {
        return RawClient.chat(visit.tenant().key(), visit.body(), "");
    }

    private void misbehave(RawClient client) throws IOException, InterruptedException {
        String request = request();
        switch (visit.manners()) {
            case GOOD -> throw new IllegalStateException("not here");
            case LEAVES_IN_ITS_BODY -> {
                client.send(request.substring(0, request.length() - 10));
                pause(visit.staysMillis());
            }
            case LEAVES_SOON, LEAVES_BEFORE_THE_HEAD -> {
                client.send(request);
                pause(visit.staysMillis());
            }
            case LEAVES_WHILE_SILENT, LEAVES_MID_STREAM -> {
                if (client.send(request).head().status() == 200) {
                    client.chunk();
                    pause(visit.staysMillis());
                }
            }
            case NEVER_READS -> {
                client.send(request);
                stormOver.await();
            }
            case CLOSES_HALF -> {
                client.send(request);
                pause(visit.staysMillis());
                client.halfClose();
                client.rest();
            }
            case SENDS_A_BYTE_A_SECOND -> {
                client.send(request.substring(0, request.indexOf("{")));
                for (int i = 0; i < SLOW_BYTES; i++) {
                    client.send(request.substring(request.indexOf("{") + i, request.indexOf("{") + i + 1));
                    pause(1_000);
                }
            }
            case READS_A_BYTE_A_SECOND -> {
                client.send(request);
                for (int i = 0; i < SLOW_BYTES && !client.closedByServer(); i++) {
                    pause(1_000);
                }
            }
        }
    }

    /** Its own pace, cut short when the storm is over. */
    private void pause(long millis) throws InterruptedException {
        stormOver.await(millis, TimeUnit.MILLISECONDS);
    }

    private String readAll(RawClient client) throws IOException {
        Answer head = client.head();
        if (head.status() != 200 || !visit.stream()) {
            Answer answer = client.answer(head);
            return answer.status() == 200 ? whole(answer.body()) : answer.status() + " " + code(answer.body());
        }
        var body = new StringBuilder();
        try {
            for (String chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
                body.append(chunk);
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException cut) {
            return "cut " + (body.indexOf("[DONE]") < 0 ? code(body.toString()) : "after its end");
        }
        return whole(COMMENT.matcher(body).replaceAll(""));
    }

    private String whole(String body) {
        return body.equals(UnrulyUpstream.complete(visit.conduct(), visit.stream())) ? "complete" : "wrong: " + body;
    }

    private static String code(String body) {
        Matcher code = CODE.matcher(body);
        if (code.find()) {
            return code.group(1);
        }
        return body.contains("\"message\":\"theirs\"") ? "theirs" : "without a code: " + body;
    }
}
