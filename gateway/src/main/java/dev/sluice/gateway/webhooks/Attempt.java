package dev.sluice.gateway.webhooks;

import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.Webhook;
import dev.sluice.postgres.webhooks.Delivery;
import dev.sluice.postgres.webhooks.DeliveryStore.Failure;
import io.vertx.core.buffer.Buffer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One attempt to deliver a message. Blocks: it has a virtual thread of its own. */
final class Attempt {
    private static final String ID_PREFIX = "msg_";
    private static final int GONE = 410;

    private final Supplier<Configuration> configuration;
    private final Outgoing outgoing;
    private final Names names;
    private final InstantSource clock;

    Attempt(Supplier<Configuration> configuration, Outgoing outgoing, Names names, InstantSource clock) {
        this.configuration = configuration;
        this.outgoing = outgoing;
        this.names = names;
        this.clock = clock;
    }

    /** How an attempt ended. */
    sealed interface Ended {
        record Delivered() implements Ended {}

        /** @param last whether the receiver does not want to be asked again */
        record Failed(Failure failure, boolean last) implements Ended {}
    }

    Ended make(Delivery delivery) {
        Configuration now = configuration.get();
        Optional<Webhook> webhook = now.groups().stream()
                .filter(group -> group.id().equals(delivery.owner()))
                .findFirst()
                .flatMap(group -> group.webhook(delivery.webhook()));
        if (webhook.isEmpty()) {
            return failed("webhook_unknown", "The group has no webhook of this id any more.");
        }
        InetAddress[] addresses;
        try {
            addresses = names.addresses(webhook.get().url().getHost());
        } catch (UnknownHostException e) {
            return failed("unknown_host", "The host's name has no address.");
        }
        // One bad address is enough: who answers with a mixture wants to be let in by chance.
        boolean allowed =
                now.webhooks().allowPrivate() || Arrays.stream(addresses).allMatch(PublicAddress::is);
        if (!allowed) {
            return failed("address_refused", "The host has an address that is not on the public internet.");
        }
        return send(delivery, webhook.get(), addresses[0]);
    }

    private Ended send(Delivery delivery, Webhook webhook, InetAddress address) {
        String id = ID_PREFIX + delivery.id();
        long seconds = clock.instant().getEpochSecond();
        Map<String, String> headers = Map.of(
                "content-type",
                "application/json",
                "user-agent",
                "sluice",
                "webhook-id",
                id,
                "webhook-timestamp",
                Long.toString(seconds),
                "webhook-signature",
                Signature.of(webhook.keys(), id, seconds, delivery.payload()));
        try {
            int status = outgoing.post(webhook.url(), address, headers, Buffer.buffer(delivery.payload()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            if (status / 100 == 2) {
                return new Ended.Delivered();
            }
            var failure = new Failure(
                    OptionalInt.of(status), "webhook_status", "The receiver answered with status " + status + ".");
            return new Ended.Failed(failure, status == GONE);
        } catch (CompletionException e) {
            return unanswered(e.getCause());
        }
    }

    private static Ended unanswered(@Nullable Throwable cause) {
        if (cause instanceof TimeoutException) {
            return failed("webhook_timeout", "The receiver did not answer in time.");
        }
        if (cause instanceof SSLException) {
            return failed("tls_failed", "No trusted connection could be made.");
        }
        return failed("connection_failed", "The connection could not be made, or broke.");
    }

    private static Ended failed(String code, String message) {
        return new Ended.Failed(new Failure(OptionalInt.empty(), code, message), false);
    }
}
