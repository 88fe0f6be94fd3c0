package dev.sluice.gateway.upstream;

import dev.sluice.gateway.translation.Translation;
import dev.sluice.gateway.translation.Untranslatable;
import dev.sluice.gateway.upstream.UpstreamFailure.Kind;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** One request that is translated on its way to the upstream, and its answer on its way back. */
final class TranslatedCall implements UpstreamCall, UpstreamListener {
    private static final int OFF_LOOP_BYTES = 256 << 10;
    private static final String APPLICATION_JSON = "application/json";

    private final Upstream upstream;
    private final Outlet outlet;
    private final UpstreamListener listener;
    private @Nullable UpstreamCall call;
    private @Nullable TranslatedAnswer answer;
    private boolean paused;
    private boolean over;
    private boolean cancelled;

    TranslatedCall(Upstream upstream, Outlet outlet, UpstreamListener listener) {
        this.upstream = upstream;
        this.outlet = outlet;
        this.listener = listener;
    }

    private sealed interface Attempt {
        record Made(Translation translation) implements Attempt {}

        record Refused(Untranslatable why) implements Attempt {}
    }

    private static Attempt attempt(UpstreamRequest request, long created) {
        try {
            return new Attempt.Made(
                    Translation.of(request.path(), request.body().getBytes(), created));
        } catch (Untranslatable why) {
            return new Attempt.Refused(why);
        }
    }

    void start(UpstreamRequest request, long created) {
        Context context = outlet.vertx().getOrCreateContext();
        if (request.body().length() > OFF_LOOP_BYTES) {
            context.executeBlocking(() -> attempt(request, created), false)
                    .onComplete(
                            made -> proceed(request, made),
                            bug -> failed(new UpstreamFailure(Kind.CUT, "the request could not be translated")));
            return;
        }
        switch (attempt(request, created)) {
            case Attempt.Made made -> proceed(request, made);
            // Nothing may be heard before the call is known.
            case Attempt.Refused refused -> context.runOnContext(later -> proceed(request, refused));
        }
    }

    private void proceed(UpstreamRequest request, Attempt attempt) {
        if (over) {
            return;
        }
        switch (attempt) {
            case Attempt.Made(Translation translation) -> {
                answer = new TranslatedAnswer(translation.answer(), translation.setAside());
                UpstreamCall opened = upstream.open(
                        outlet,
                        new UpstreamRequest(translation.path(), theirs(request.headers()), translation.body()),
                        this);
                call = opened;
                if (paused) {
                    opened.pause();
                }
            }
            case Attempt.Refused(Untranslatable why) -> {
                // Who chose this provider asked before; it spoke the other API then.
                over = true;
                Buffer body = Translation.refused(request.path(), why);
                listener.head(
                        400,
                        HttpHeaders.headers()
                                .set(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON)
                                .set(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length())));
                pass(body);
                endUnlessCancelled();
            }
        }
    }

    /** Versions and betas belong to the API of the client. */
    private static MultiMap theirs(MultiMap headers) {
        return headers.remove("anthropic-version").remove("anthropic-beta").remove("openai-beta");
    }

    @Override
    public void head(int status, MultiMap headers) {
        if (over || answer == null) {
            return;
        }
        listener.head(status, answer.head(status, headers));
    }

    @Override
    public void chunk(Buffer bytes) {
        if (over || answer == null) {
            return;
        }
        switch (answer.chunk(bytes)) {
            case TranslatedAnswer.Part.Bytes(Buffer ready) -> pass(ready);
            case TranslatedAnswer.Part.Broken(String detail) -> broken(detail);
        }
    }

    @Override
    public void end() {
        if (over || answer == null) {
            return;
        }
        switch (answer.end()) {
            case TranslatedAnswer.Part.Bytes(Buffer ready) -> {
                over = true;
                pass(ready);
                endUnlessCancelled();
            }
            case TranslatedAnswer.Part.Broken(String detail) -> broken(detail);
        }
    }

    private void pass(Buffer ready) {
        if (ready.length() > 0 && !cancelled) {
            listener.chunk(ready);
        }
    }

    /** Whoever hears a chunk may give the call up. */
    private void endUnlessCancelled() {
        if (!cancelled) {
            listener.end();
        }
    }

    private void broken(String detail) {
        over = true;
        var failure = new UpstreamFailure(Kind.CUT, "its answer cannot be passed on, " + detail);
        UpstreamCall open = call;
        if (open == null) {
            listener.failed(failure);
        } else {
            // Not before the upstream has noticed: the listener gives the slot back.
            open.cancel().onComplete(closed -> {
                if (!cancelled) {
                    listener.failed(failure);
                }
            });
        }
    }

    @Override
    public void failed(UpstreamFailure failure) {
        if (!over) {
            over = true;
            listener.failed(failure);
        }
    }

    @Override
    public void pause() {
        paused = true;
        if (call != null) {
            call.pause();
        }
    }

    @Override
    public void resume() {
        paused = false;
        if (call != null) {
            call.resume();
        }
    }

    @Override
    public Future<Void> cancel() {
        over = true;
        cancelled = true;
        return call == null ? Future.succeededFuture() : call.cancel();
    }
}
