package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** For clients that can list models. */
interface ListsModels {
    /** Names of the models that the key may use. */
    List<String> models(String key);

    @Test
    default void theModelsOfTheGroupAreListed() {
        assertThat(models(Group.OPEN.key())).containsExactlyInAnyOrder("chat", "hold", "switched-off", "broken");
        assertThat(models(Group.VISITORS.key())).containsExactly("chat");
    }
}
