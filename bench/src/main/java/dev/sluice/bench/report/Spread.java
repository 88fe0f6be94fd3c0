package dev.sluice.bench.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/** The middle and the ends of some rounds. */
public record Spread(double median, double min, double max, int rounds) {
    public static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no rounds");
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    public static Spread of(double... values) {
        return of(Arrays.stream(values).boxed().toList());
    }

    /** For example {@code 12.34 (11.90-13.02)}. */
    public String text() {
        int places = median >= 100 ? 0 : median >= 10 ? 1 : 2;
        String number = "%." + places + "f";
        return String.format(Locale.ROOT, number + " (" + number + "-" + number + ")", median, min, max);
    }
}
