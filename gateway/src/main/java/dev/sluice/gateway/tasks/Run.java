package dev.sluice.gateway.tasks;

import dev.sluice.gateway.http.Errand;
import dev.sluice.postgres.tasks.Job;
import org.jspecify.annotations.Nullable;

/** One execution in progress. It can be stopped at any instant, by its client or since this process ends. */
final class Run {
    final Job job;
    private @Nullable Errand errand;
    private boolean cancelled;
    private boolean stopped;

    Run(Job job) {
        this.job = job;
    }

    /** The upstream is being called, unless it was stopped before. */
    synchronized void calls(Errand call) {
        errand = call;
        if (stopped) {
            call.stop();
        }
    }

    synchronized void cancel() {
        cancelled = true;
        stop();
    }

    synchronized void stop() {
        stopped = true;
        if (errand != null) {
            errand.stop();
        }
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    /** Whether its client ended the task, which then is not to be tried again. */
    synchronized boolean isCancelled() {
        return cancelled;
    }
}
