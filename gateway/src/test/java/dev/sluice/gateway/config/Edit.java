package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;

/** One edit that breaks {@link Example#FULL}, and exactly what is then said of it. */
record Edit(String name, String find, String replace, List<String> faults) {
    /** @param faults each as {@code line: message} */
    static Edit broken(String name, String find, String replace, String... faults) {
        return new Edit(
                name,
                find,
                replace,
                Stream.of(faults).map(fault -> "sluice.yaml:" + fault).toList());
    }

    String yaml() {
        assertThat(Example.FULL).containsOnlyOnce(find);
        return Example.FULL.replace(find, replace);
    }

    @Override
    public String toString() {
        return name;
    }
}
