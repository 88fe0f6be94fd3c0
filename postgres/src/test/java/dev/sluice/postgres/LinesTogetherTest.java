package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.postgres.batches.FedLine;
import dev.sluice.postgres.batches.LineStore;
import dev.sluice.postgres.batches.NotFedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A line that is fed together with others")
class LinesTogetherTest extends WithTasks {
    private static final int LINES = 40;
    private final UUID mine = UUID.randomUUID();
    private final UUID foreign = UUID.randomUUID();
    private LineStore lines;

    @BeforeEach
    void twoBatches() throws SQLException {
        lines = new LineStore(schema.source(), schema.name(), "one");
        batch(mine, "one");
        batch(foreign, "another");
    }

    private static void batch(UUID id, String feeder) throws SQLException {
        schema.execute("""
                insert into batch (id, owner, state, endpoint, input, time_window, priority, feeder, deadline)
                values ('%1$s', 'research', 'in_progress', '/v1/x', '%1$s', '24h', 100, '%2$s',
                        clock_timestamp() + interval '1 day')
                """.formatted(id, feeder));
    }

    private List<CompletionStage<Decision>> feed(UUID batch) {
        List<CompletionStage<Decision>> decisions = new ArrayList<>();
        for (int line = 1; line <= LINES; line++) {
            UUID id = ids.next();
            var fed = new FedLine(task(id, Optional.empty()), line == 30 ? foreign : batch, line, "line-" + line);
            decisions.add(admission
                    .submit(Ask.async(id, 100, List.of(Demand.one(WIDE))), lines.feeding(fed))
                    .decision());
        }
        return decisions;
    }

    private static void assertRefused(CompletionStage<Decision> decision, boolean wasFedBefore) {
        assertThatThrownBy(() -> join(decision))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        NotFedException.class,
                        not -> assertThat(not.wasFedBefore()).isEqualTo(wasFedBefore));
    }

    @Test
    void becomesATaskUnlessTheBatchIsSomebodyElsesAndTakesBackItselfAlone() throws SQLException {
        List<CompletionStage<Decision>> decisions = feed(mine);

        assertRefused(decisions.remove(29), false);
        assertThat(decisions).allSatisfy(decision -> assertThat(join(decision)).isInstanceOf(Admitted.class));
        assertThat(schema.count("task where batch = '" + mine + "' and state = 'queued' and deadline is not null"))
                .isEqualTo(LINES - 1);
        assertThat(schema.count("job")).isEqualTo(LINES - 1);
    }

    @Test
    void isFedOnceAndAgainOnlyIfItWasTakenBack() throws SQLException {
        feed(mine)
                .forEach(decision -> decision.toCompletableFuture()
                        .exceptionally(refused -> null)
                        .join());
        schema.execute("update task set state = 'cancelled', finished = clock_timestamp() where line = 7");

        List<CompletionStage<Decision>> again = feed(mine);

        assertThat(join(again.get(6))).isInstanceOf(Admitted.class);
        assertRefused(again.get(29), false);
        for (int i = 0; i < LINES; i++) {
            if (i != 6 && i != 29) {
                assertRefused(again.get(i), true);
            }
        }
        assertThat(schema.count("task where finished is null")).isEqualTo(LINES - 1);
    }
}
