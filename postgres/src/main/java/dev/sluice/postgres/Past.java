package dev.sluice.postgres;

/**
 * How far somebody has seen the journal.
 *
 * @param revision of the newest entry seen; negative for none
 * @param mark of that entry: a server that lost its newest entries in a crash gives their revisions again, with other
 *     marks
 */
record Past(long revision, long mark) {
    static final Past NONE = new Past(-1, 0);

    boolean isNone() {
        return revision < 0;
    }
}
