package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/** How an API family lists models. */
public interface Catalogue {
    Buffer list(List<String> models);

    Buffer one(String model);
}
