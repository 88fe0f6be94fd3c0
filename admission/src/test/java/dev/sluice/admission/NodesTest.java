package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodesTest {
    private static final List<Demand> DEMANDS = List.of(Demand.one(Scope.userGroup("g")));

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void itFindsWhoIsThereAndNobodyElseHoweverManyCameAndWent(long seed) {
        Random random = new Random(seed);
        Nodes nodes = new Nodes();
        Map<UUID, Node> expected = new HashMap<>();
        List<UUID> known = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            boolean grows = known.isEmpty() || random.nextInt(100) < (i < 10_000 ? 60 : 40);
            if (grows) {
                Node node = node(new UUID(i, random.nextInt(4)));
                nodes.add(node);
                expected.put(node.task, node);
                known.add(node.task);
            } else {
                UUID gone = known.set(random.nextInt(known.size()), known.getLast());
                known.removeLast();
                nodes.remove(Objects.requireNonNull(nodes.get(gone)));
                expected.remove(gone);
                assertThat(nodes.get(gone)).isNull();
            }
            UUID any = new UUID(random.nextInt(i + 1), random.nextInt(4));
            assertThat(nodes.get(any)).isSameAs(expected.get(any));
        }
        assertThat(nodes.size()).isEqualTo(expected.size());
        assertThat(nodes.all()).containsExactlyInAnyOrderElementsOf(expected.values());
        expected.forEach((task, node) -> assertThat(nodes.get(task)).isSameAs(node));
    }

    @Test
    void anIdOfZerosIsAnIdAsAnyOther() {
        Nodes nodes = new Nodes();
        Node node = node(new UUID(0, 0));

        nodes.add(node);

        assertThat(nodes.get(new UUID(0, 0))).isSameAs(node);
        nodes.remove(node);
        assertThat(nodes.get(new UUID(0, 0))).isNull();
    }

    private static Node node(UUID task) {
        return new Node(Row.arriving(Ask.async(task, 100, DEMANDS), 1, 0, Long.MAX_VALUE));
    }
}
