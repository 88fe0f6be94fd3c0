package dev.sluice.gateway.admin;

import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.Reload;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the configuration file at once, and says what came of it. */
final class ReloadOrder {
    static final String PATH = "/admin/reload";

    private final ConfigurationSource source;

    ReloadOrder(ConfigurationSource source) {
        this.source = source;
    }

    void accept(Vertx vertx, HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.POST)) {
            AdminPlane.refuseMethod(request, "POST");
            return;
        }
        // Off the loop: it reads a file and hands the ledger new policies.
        vertx.executeBlocking(source::reload, false)
                .onSuccess(reload -> answer(request, reload))
                .onFailure(bug -> AdminPlane.refuse(
                        request, 500, "api_error", "internal_error", "The reload failed. The log tells more."));
    }

    private static void answer(HttpServerRequest request, Reload reload) {
        switch (reload) {
            case Reload.Accepted accepted -> {
                ObjectNode body = LedgerView.object().put("changed", accepted.changed());
                ArrayNode keys = body.putArray("need_restart");
                accepted.needRestart().forEach(keys::add);
                AdminPlane.json(request, 200, body);
            }
            case Reload.Refused refused -> {
                ObjectNode body = LedgerView.error(
                        "invalid_request_error",
                        "invalid_configuration",
                        "The file has faults, so nothing was changed: see 'faults'.");
                ArrayNode faults = body.putArray("faults");
                refused.faults().forEach(fault -> faults.add(fault.toString()));
                AdminPlane.json(request, 422, body);
            }
        }
    }
}
