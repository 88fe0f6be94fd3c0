package dev.sluice.bench.report;

import java.util.Locale;

/** What a figure has to reach. Each benchmark ends with one line for each of its targets: met, missed or not measured. */
public final class Target {
    private Target() {}

    /** @param is NaN if this run did not measure it */
    public static void atMost(String what, double is, double most) {
        print(what, is, is <= most, "at most " + number(most));
    }

    /** @param is NaN if this run did not measure it */
    public static void atLeast(String what, double is, double least) {
        print(what, is, is >= least, "at least " + number(least));
    }

    private static void print(String what, double is, boolean met, String wanted) {
        if (Double.isNaN(is)) {
            System.out.printf("NOT MEASURED  %s (%s)%n", what, wanted);
        } else {
            System.out.printf("%s  %s: %s (%s)%n", met ? "met   " : "MISSED", what, number(is), wanted);
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) || Math.abs(value) >= 1_000
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }
}
