package dev.sluice.admission.contract;

import org.junit.jupiter.api.Nested;

/** The table of contents of the contract. An engine's test extends this class and says how to make a fixture. */
public abstract class AdmissionContract {
    /** A fixture for one test, which closes it. */
    protected abstract AdmissionFixture newFixture();

    @Nested
    class Limits extends LimitsContract {
        Limits() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Order extends OrderContract {
        Order() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Overtaking extends OvertakingContract {
        Overtaking() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Strict extends StrictContract {
        Strict() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class QueueLimits extends QueueLimitsContract {
        QueueLimits() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Deadlines extends DeadlinesContract {
        Deadlines() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Waiters extends WaitersContract {
        Waiters() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Takeover extends TakeoverContract {
        Takeover() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Placement extends PlacementContract {
        Placement() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class LongContext extends LongContextContract {
        LongContext() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Reserve extends ReserveContract {
        Reserve() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Spill extends SpillContract {
        Spill() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Providers extends ProvidersContract {
        Providers() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Release extends ReleaseContract {
        Release() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        Renewal() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Rebind extends RebindContract {
        Rebind() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class FailOver extends FailOverContract {
        FailOver() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Cancel extends CancelContract {
        Cancel() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Priorities extends PrioritiesContract {
        Priorities() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Configuration extends ConfigurationContract {
        Configuration() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Views extends ViewsContract {
        Views() {
            super(AdmissionContract.this::newFixture);
        }
    }

    @Nested
    class Shutdown extends ShutdownContract {
        Shutdown() {
            super(AdmissionContract.this::newFixture);
        }
    }
}
