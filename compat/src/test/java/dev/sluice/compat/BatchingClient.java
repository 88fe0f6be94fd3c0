package dev.sluice.compat;

import java.util.List;

/** A client of OpenAI's own, as it uploads files and asks for batches. */
interface BatchingClient {
    /**
     * A batch that has ended, as the client shows it.
     *
     * @param faults of its input: line and code
     * @param results ids of the lines in the output file, then those in the error file
     */
    record Ended(String status, long total, long completed, List<String> faults, List<String> results) {}

    /**
     * Uploads, asks for a batch, follows it to its end and reads its files.
     *
     * @param endpoint that all lines are for
     */
    Ended run(String key, String endpoint, String lines);

    /** The same, but cancels the batch once it is in progress. */
    Ended cancelled(String key, String endpoint, String lines);

    /** Uploads, lists, shows, deletes; the status of a look at the file after that. */
    int deletedFile(String key, String content);
}
