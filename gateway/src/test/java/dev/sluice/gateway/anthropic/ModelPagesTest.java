package dev.sluice.gateway.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.Catalogue.Listing;
import io.vertx.core.MultiMap;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A page of models in Anthropic's shape")
final class ModelPagesTest {
    private final ModelPages pages = new ModelPages(new AnthropicDialect());

    private Listing list(String query) {
        MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
        for (String pair : query.split("&")) {
            if (!pair.isEmpty()) {
                parameters.add(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
        }
        return pages.list(List.of("a", "b", "c", "d"), parameters);
    }

    @ParameterizedTest(name = "{0}: {1}, more: {2}")
    @CsvSource({
        "'', a b c d, false",
        "limit=3, a b c, true",
        "limit=4, a b c d, false",
        "limit=2&after_id=b, c d, false",
        "limit=2&after_id=a, b c, true",
        "after_id=d, '', false",
        "limit=2&before_id=d, b c, true",
        "limit=2&before_id=c, a b, false",
        "before_id=a, '', false",
        "lifecycle[]=active, a b c d, false",
        "lifecycle[]=retired&lifecycle[]=deprecated, '', false",
    })
    void hasWhatWasAskedFor(String query, String models, boolean more) {
        assertThat(list(query)).isInstanceOfSatisfying(Listing.Page.class, page -> {
            JsonNode json = JsonMapper.shared().readTree(page.json().getBytes());
            List<String> ids = json.path("data")
                    .valueStream()
                    .map(model -> model.path("id").asString())
                    .toList();
            assertThat(String.join(" ", ids)).isEqualTo(models);
            assertThat(json.path("has_more").booleanValue()).isEqualTo(more);
            assertThat(json.path("first_id").asString("")).isEqualTo(ids.isEmpty() ? "" : ids.getFirst());
            assertThat(json.path("last_id").asString("")).isEqualTo(ids.isEmpty() ? "" : ids.getLast());
        });
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource({
        "limit=0, limit",
        "limit=1001, limit",
        "limit=many, limit",
        "after_id=x, after_id",
        "before_id=x, before_id",
        "after_id=a&before_id=c, before_id",
    })
    void isRefusedByTheNameOfTheWrongParameter(String query, String parameter) {
        assertThat(list(query))
                .isInstanceOfSatisfying(
                        Listing.Wrong.class,
                        wrong -> assertThat(wrong.problem().param()).contains(parameter));
    }

    @Test
    void saysNullOfWhatAGatewayDoesNotKnow() {
        assertThat(pages.one("a\"b").toString())
                .isEqualTo("{\"type\":\"model\",\"id\":\"a\\\"b\",\"display_name\":\"a\\\"b\","
                        + "\"created_at\":\"1970-01-01T00:00:00Z\",\"lifecycle\":\"active\",\"line\":null,"
                        + "\"capabilities\":null,\"max_input_tokens\":null,\"max_tokens\":null,"
                        + "\"deprecated_at\":null,\"retires_at\":null}");
    }
}
