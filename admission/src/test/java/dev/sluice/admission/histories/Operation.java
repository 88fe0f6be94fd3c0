package dev.sluice.admission.histories;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import java.time.Duration;

/** One step of a history. Tasks are named by number, so that any step can be left out and the rest still makes sense. */
sealed interface Operation {
    /** Which epoch a step names. */
    enum Fence {
        CURRENT,
        PREVIOUS,
        NEXT
    }

    record Submit(Ask ask) implements Operation {
        @Override
        public String toString() {
            return "submit " + Words.of(ask);
        }
    }

    record Rebind(Ask ask) implements Operation {
        @Override
        public String toString() {
            return "rebind " + Words.of(ask);
        }
    }

    record FailOver(Ask ask, Fence fence) implements Operation {
        @Override
        public String toString() {
            return "fail over " + Words.of(ask) + Words.of(fence);
        }
    }

    record Release(int task, Fence fence) implements Operation {
        @Override
        public String toString() {
            return "release #" + task + Words.of(fence);
        }
    }

    record Renew(int task, Fence fence) implements Operation {
        @Override
        public String toString() {
            return "renew #" + task + Words.of(fence);
        }
    }

    record Confirm(int task, Fence fence) implements Operation {
        @Override
        public String toString() {
            return "confirm #" + task + Words.of(fence);
        }
    }

    record RenewWaiter(int task, String waiter) implements Operation {
        @Override
        public String toString() {
            return "renew waiter " + waiter + " of #" + task;
        }
    }

    record Heartbeat(String holder) implements Operation {
        @Override
        public String toString() {
            return "heartbeat of " + holder;
        }
    }

    record Detach(int task, String waiter) implements Operation {
        @Override
        public String toString() {
            return "detach " + waiter + " from #" + task;
        }
    }

    record Cancel(int task, Eviction reason) implements Operation {
        @Override
        public String toString() {
            return "cancel #" + task + " " + reason;
        }
    }

    record Prioritise(int task, int priority) implements Operation {
        @Override
        public String toString() {
            return "priority of #" + task + " becomes " + priority;
        }
    }

    record Configure(Policies policies) implements Operation {
        @Override
        public String toString() {
            return "configure " + Words.of(policies);
        }
    }

    record ProviderUp(String provider, boolean up) implements Operation {
        @Override
        public String toString() {
            return "provider " + provider + (up ? " up" : " down");
        }
    }

    record Operate(String provider, ProviderState state) implements Operation {
        @Override
        public String toString() {
            return "provider " + provider + " " + state;
        }
    }

    /** The clock moves and nobody is told: whoever asks next must not meet corpses. */
    record Elapse(Duration time) implements Operation {
        @Override
        public String toString() {
            return "elapse " + time;
        }
    }

    record Tick() implements Operation {
        @Override
        public String toString() {
            return "tick";
        }
    }
}
