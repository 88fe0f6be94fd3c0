package dev.sluice.admission;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Amounts of a scope as whole thousandths in a {@code long}, so that sums are exact. One ordinary request takes
 * {@link #ONE}. Range: 1 to {@link #MAX}.
 */
public final class Amount {
    /** One whole unit. */
    public static final long ONE = 1_000;

    /** The largest amount or limit, a million units; keeps every sum of a scope far from overflow. */
    public static final long MAX = 1_000_000 * ONE;

    private static final int SHARED_MAX = 8;
    private static final long[][] ALL_ONE = new long[SHARED_MAX + 1][];

    static {
        for (int i = 0; i <= SHARED_MAX; i++) {
            ALL_ONE[i] = new long[i];
            Arrays.fill(ALL_ONE[i], ONE);
        }
    }

    private Amount() {}

    /** The same amounts, which nobody may change: most are all {@link #ONE}, and these share one array. */
    static long[] shared(long[] amounts) {
        for (long amount : amounts) {
            if (amount != ONE) {
                return amounts;
            }
        }
        return amounts.length <= SHARED_MAX ? ALL_ONE[amounts.length] : amounts;
    }

    /**
     * Converts whole units.
     *
     * @throws IllegalArgumentException if {@code units} is negative or above a million
     */
    public static long units(long units) {
        if (units < 0 || units > MAX / ONE) {
            throw new IllegalArgumentException("amount must be 0 to " + MAX / ONE + " units, not " + units);
        }
        return units * ONE;
    }

    /**
     * Converts a decimal with at most three places.
     *
     * @throws IllegalArgumentException if it has more places, is negative or above a million
     */
    public static long of(BigDecimal decimal) {
        try {
            long thousandths = decimal.movePointRight(3).longValueExact();
            if (thousandths >= 0 && thousandths <= MAX) {
                return thousandths;
            }
        } catch (ArithmeticException e) {
            // falls through to the one message below
        }
        throw new IllegalArgumentException(
                "amount must be 0 to " + MAX / ONE + " with at most three decimals, not " + decimal.toPlainString());
    }

    /** The decimal text of an amount without trailing zeros: {@code 1500} is {@code "1.5"}. */
    public static String text(long thousandths) {
        return thousandths % ONE == 0
                ? Long.toString(thousandths / ONE)
                : BigDecimal.valueOf(thousandths, 3).stripTrailingZeros().toPlainString();
    }
}
