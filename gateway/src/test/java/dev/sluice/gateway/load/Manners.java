package dev.sluice.gateway.load;

/** How a client behaves. */
enum Manners {
    /** Sends at once, reads at once and stays until the end. */
    GOOD,
    LEAVES_IN_ITS_BODY,
    /** While queued, if the line is long. */
    LEAVES_SOON,
    LEAVES_BEFORE_THE_HEAD,
    LEAVES_WHILE_SILENT,
    LEAVES_MID_STREAM,
    CLOSES_HALF,
    SENDS_A_BYTE_A_SECOND,
    /** This and the next do not read, or hardly. */
    NEVER_READS,
    READS_A_BYTE_A_SECOND
}
