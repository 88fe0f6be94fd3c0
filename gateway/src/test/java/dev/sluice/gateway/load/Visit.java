package dev.sluice.gateway.load;

import static dev.sluice.gateway.load.Manners.GOOD;
import static dev.sluice.gateway.load.Manners.NEVER_READS;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One request of the storm, all of it drawn from the seed.
 *
 * @param startMillis after the storm's begin
 * @param staysMillis how long a client that leaves waits before it does
 * @param reset leaves by a reset instead of a close
 */
record Visit(
        Tenant tenant,
        String model,
        boolean stream,
        Conduct conduct,
        Manners manners,
        long startMillis,
        long staysMillis,
        boolean reset) {
    /** A group and its key. */
    record Tenant(String group, String key) {}

    private static final List<Conduct> WELL = List.of(Conduct.ANSWER, Conduct.ANSWER, Conduct.ANSWER, Conduct.SLOW);

    static Visit draw(RandomGenerator random, List<Tenant> tenants, List<String> models, long lastStartMillis) {
        Manners manners = random.nextInt(10) < 6 ? GOOD : bad(random);
        Conduct conduct = conduct(random, manners);
        return new Visit(
                tenants.get(random.nextInt(tenants.size())),
                models.get(random.nextInt(models.size())),
                switch (manners) {
                    case LEAVES_MID_STREAM, LEAVES_WHILE_SILENT, NEVER_READS, READS_A_BYTE_A_SECOND -> true;
                    default -> random.nextBoolean();
                },
                conduct,
                manners,
                random.nextLong(lastStartMillis),
                random.nextLong(20, 600),
                random.nextBoolean());
    }

    /** Those that do not read keep a slot for seconds and move megabytes: every tenth of the bad. */
    private static Manners bad(RandomGenerator random) {
        Manners[] all = Manners.values();
        int deaf = NEVER_READS.ordinal();
        return random.nextInt(10) == 0 ? all[random.nextInt(deaf, all.length)] : all[random.nextInt(1, deaf)];
    }

    private static Conduct conduct(RandomGenerator random, Manners manners) {
        return switch (manners) {
            case LEAVES_BEFORE_THE_HEAD -> Conduct.SILENT;
            case LEAVES_WHILE_SILENT -> Conduct.SILENT_MIDWAY;
            case LEAVES_MID_STREAM, NEVER_READS, READS_A_BYTE_A_SECOND -> Conduct.ENDLESS;
            // Half of the rest meet a good upstream; ENDLESS is last and never for them.
            default ->
                random.nextBoolean()
                        ? WELL.get(random.nextInt(WELL.size()))
                        : Conduct.values()[random.nextInt(Conduct.ENDLESS.ordinal())];
        };
    }

    String body() {
        return "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"stream\":" + stream
                + ",\"conduct\":\"" + conduct + "\",\"tenant\":\"" + tenant.group + "\"}";
    }
}
