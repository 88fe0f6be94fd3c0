package dev.sluice.compat;

import tools.jackson.databind.node.ObjectNode;

/** A client that runs in a Node.js of its own. */
abstract class NodeClient implements Client {
    private final NodeProcess node;
    private final String baseUrl;

    NodeClient(NodeProcess node, String baseUrl) {
        this.node = node;
        this.baseUrl = baseUrl;
    }

    final NodeProcess node() {
        return node;
    }

    @Override
    public final Result chat(Ask ask) {
        return node.result(order("chat", ask));
    }

    @Override
    public final Result stream(Ask ask) {
        return node.result(order("stream", ask));
    }

    @Override
    public final ToolTalk tools(Ask ask) {
        return NodeProcess.toolTalk(node.ask(order("tools", ask)));
    }

    @Override
    public final String structured(Ask ask) {
        return node.ask(order("structured", ask)).path(ToolTalk.FIELD).asString("");
    }

    ObjectNode order(String what, Ask ask) {
        return NodeProcess.order(what, baseUrl, ask).put("wrongStop", ask.wrongStop());
    }
}
