package dev.sluice.gateway.admin;

import dev.sluice.admission.Admission;
import dev.sluice.admission.ProviderState;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** What an operator decides about a provider, over its configured {@code enabled}: {@code {id}/{enable|disable|drain}}. */
final class ProviderOrders {
    static final String PATH = "/admin/providers/";

    private static final Map<String, ProviderState> STATES =
            Map.of("enable", ProviderState.ENABLED, "disable", ProviderState.DISABLED, "drain", ProviderState.DRAINING);

    private final Admission admission;
    private final LedgerView view;

    ProviderOrders(Admission admission, LedgerView view) {
        this.admission = admission;
        this.view = view;
    }

    /** @param below the path behind {@link #PATH} */
    void accept(Context loop, HttpServerRequest request, String below) {
        int slash = below.indexOf('/');
        String id = below.substring(0, Math.max(slash, 0));
        ProviderState state = STATES.get(below.substring(slash + 1));
        if (state == null || admission.snapshot().provider(id).isEmpty()) {
            AdminPlane.refuse(
                    request,
                    404,
                    "invalid_request_error",
                    "not_found",
                    "There is no such provider, or none of enable, disable and drain behind it.");
        } else if (!request.method().equals(HttpMethod.POST)) {
            AdminPlane.refuseMethod(request, "POST");
        } else {
            answer(loop, request, admission.operate(id, state));
        }
    }

    private void answer(Context loop, HttpServerRequest request, CompletionStage<Boolean> later) {
        later.whenComplete((done, outage) -> loop.runOnContext(now -> {
            if (outage == null) {
                AdminPlane.json(request, 200, view.providers());
            } else {
                AdminPlane.unavailable(request);
            }
        }));
    }
}
