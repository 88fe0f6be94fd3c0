package dev.sluice.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The calls that the hooks of a batch share, each with its rows in the order of the operations. */
final class Calls {
    static final Calls NONE = new Calls();

    private record Call<R>(Rows<R> rows, List<R> of) {
        void bind(PreparedStatement statement, int first) throws SQLException {
            rows.bind(statement, first, of);
        }

        @SuppressWarnings("unchecked") // Hooks that name the same function have rows of the same type.
        void add(RowHook<?> hook) {
            of.add((R) hook.row());
        }
    }

    private final Map<String, Call<?>> calls = new TreeMap<>();

    private Calls() {}

    /** Of the operations as they were decided last. */
    static Calls of(List<Op<?>> ops) {
        Calls shared = new Calls();
        for (Op<?> op : ops) {
            op.row()
                    .ifPresent(hook -> shared.calls
                            .computeIfAbsent(hook.rows().function(), any -> new Call<>(hook.rows(), new ArrayList<>()))
                            .add(hook));
        }
        return shared;
    }

    boolean isNone() {
        return calls.isEmpty();
    }

    /** As columns of the select that appends the batch as {@code a}. */
    String sql() {
        StringBuilder sql = new StringBuilder();
        calls.values().forEach(call -> sql.append(", ").append(call.rows().call("a.outcome")));
        return sql.toString();
    }

    /** Sets the parameters from {@code first} on; where the next ones begin. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        int at = first;
        for (Call<?> call : calls.values()) {
            call.bind(statement, at);
            at += call.rows().parameters();
        }
        return at;
    }
}
