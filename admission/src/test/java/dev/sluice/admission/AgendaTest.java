package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgendaTest {
    private static final List<Demand> DEMANDS = List.of(Demand.one(Scope.userGroup("g")));
    private static final Comparator<Node> BY_INSTANT =
            Comparator.<Node>comparingLong(node -> node.dueAt).thenComparingLong(node -> node.sequence);

    /** Whiles of a fixed length go through the rings, those at random through the tree. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void tasksAreMetInTheOrderOfTheirInstantsWhoeverLeftMeanwhile(long seed) {
        Random random = new Random(seed);
        Agenda agenda = new Agenda();
        TreeSet<Node> expected = new TreeSet<>(BY_INSTANT);
        List<Node> all = new ArrayList<>();
        for (int now = 0; now < 20_000; now++) {
            Node node = node(now);
            agenda.arm(node, now + (random.nextInt(10) == 0 ? random.nextInt(5_000) : 1_000 * (1 + random.nextInt(3))));
            expected.add(node);
            all.add(node);
            if (random.nextBoolean()) {
                Node leaves = all.get(random.nextInt(all.size()));
                agenda.disarm(leaves);
                expected.remove(leaves);
            }
            for (Node due = agenda.poll(now); due != null; due = agenda.poll(now)) {
                assertThat(due).isSameAs(expected.pollFirst());
            }
            assertThat(agenda.next()).isEqualTo(expected.isEmpty() ? Long.MAX_VALUE : expected.first().dueAt);
            assertThat(agenda.next()).isGreaterThan(now);
        }
    }

    private static Node node(long sequence) {
        UUID task = new UUID(0, sequence);
        return new Node(Row.arriving(Ask.async(task, 100, DEMANDS), sequence, 0, Long.MAX_VALUE));
    }
}
