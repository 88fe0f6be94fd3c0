package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.ProviderPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rules 9 and 10: a release is fenced by task and epoch, frees everything once and promotes in the same step. */
abstract class ReleaseContract extends ContractGroup {
    ReleaseContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private boolean release(UUID task, long epoch) {
        return await(admission.release(task, epoch));
    }

    @Test
    void aReleaseFreesEveryScopeAndTheProvider() {
        open(route("chat", new ProviderPolicy("gpu", 2, 1, 0, true)).with(GROUP, queued(5)));
        Claim claim = longContext("chat", GROUP).isAdmitted();

        claim.release();

        assertActive(MODEL, 0);
        assertActive(GROUP, 0);
        assertThat(provider("gpu").inFlight()).isZero();
        assertThat(provider("gpu").longInFlight()).isZero();
        assertThat(claim.isUnknown()).isTrue();
    }

    @Test
    void aSecondReleaseChangesNothing() {
        open(queued(MODEL, 2));
        Claim claim = sync(MODEL).isAdmitted();
        sync(MODEL).isAdmitted();
        claim.release();
        Claim third = sync(MODEL).isAdmitted();

        assertThat(claim.tryRelease()).isFalse();

        assertActive(MODEL, 2);
        sync(MODEL).waits();
        third.release();
        assertActive(MODEL, 2);
    }

    @Test
    void aReleaseOfAnotherEpochChangesNothing() {
        open(queued(MODEL, 1));
        Claim claim = sync(MODEL).isAdmitted();
        long epoch = claim.admitted().epoch();

        assertThat(release(claim.task(), epoch + 1)).isFalse();
        assertThat(release(claim.task(), epoch - 1)).isFalse();
        assertThat(release(claim.task(), 0)).isFalse();

        assertActive(MODEL, 1);
        sync(MODEL).waits();
    }

    @Test
    void aReleaseOfAForeignOrUnknownTaskChangesNothing() {
        open(queued(MODEL, 2));
        Claim first = sync(MODEL).isAdmitted();
        Claim second = sync(MODEL).isAdmitted();

        assertThat(release(second.task(), first.admitted().epoch())).isFalse();
        assertThat(release(newTask(), first.admitted().epoch())).isFalse();

        assertActive(MODEL, 2);
    }

    @Test
    void aReleaseOfAWaitingTaskChangesNothing() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        assertThat(release(waiter.task(), running.admitted().epoch())).isFalse();
        assertThat(release(waiter.task(), waiter.view().epoch())).isFalse();

        waiter.waits();
    }

    @Test
    void aReleaseAfterTheLeaseExpiredDoesNotTouchTheNextOwner() {
        open(queued(MODEL, 1));
        Claim paused = sync(MODEL).isAdmitted();
        silence(seconds(120));
        Claim owner = sync(MODEL).isAdmitted();

        assertThat(paused.tryRelease()).isFalse();

        assertActive(MODEL, 1);
        sync(MODEL).waits();
        owner.release();
    }

    @Test
    void aReleaseOfAnEarlierEpochOfTheSameTaskIsLate() {
        open(queued(MODEL, 1));
        Ask ask = Ask.async(newTask(), NORMAL, one(MODEL));
        Claim first = submit(ask).isAdmitted();
        silence(seconds(120));
        Admitted again = submit(ask).admitted();
        assertThat(again.epoch()).isGreaterThan(first.admitted().epoch());

        assertThat(first.tryRelease()).isFalse();

        assertActive(MODEL, 1);
        assertThat(release(again.task(), again.epoch())).isTrue();
        assertActive(MODEL, 0);
    }

    @Test
    void epochsGrowStrictlyOverTheWholeLedger() {
        open(queued(MODEL, 1).with(OTHER_MODEL, queued(1)));
        List<Long> epochs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Claim claim = sync(i % 2 == 0 ? MODEL : OTHER_MODEL);
            epochs.add(claim.admitted().epoch());
            claim.release();
        }

        assertThat(epochs).isSorted().doesNotHaveDuplicates();
        assertThat(epochs.getFirst()).isPositive();
    }

    @Test
    void aTaskThatIsReleasedNeverMakesACounterNegative() {
        open(route("chat", ProviderPolicy.of("gpu", 2)));
        Claim claim = routed("chat").isAdmitted();
        claim.release();
        claim.tryRelease();
        claim.tryRelease();

        assertActive(MODEL, 0);
        assertThat(provider("gpu").inFlight()).isZero();
        many(2, () -> routed("chat")).forEach(Claim::isAdmitted);
        routed("chat").waits();
    }

    @Test
    void aReleasePromotesInTheSameStep() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        Claim waiter = sync(MODEL).waits();

        running.release();

        assertActive(MODEL, 1);
        assertThat(waiting(MODEL)).isZero();
        waiter.isAdmitted();
    }

    @Test
    void aReleaseWakesNobodyInVain() {
        open(queued(MODEL, 1));
        Claim running = sync(MODEL).isAdmitted();
        List<Claim> queue = many(100, () -> sync(MODEL));

        running.release();

        assertThat(queue.stream()
                        .filter(claim ->
                                claim.turn().outcome().toCompletableFuture().isDone()))
                .containsExactly(queue.getFirst());
    }

    @Test
    void aGrantToAWaiterOfThisProcessIsFirmAndConfirmingItIsHarmless() {
        open(queued(MODEL, 1));
        Claim claim = sync(MODEL).isAdmitted();
        long epoch = claim.admitted().epoch();

        assertThat(await(admission.confirm(claim.task(), epoch))).isTrue();
        assertThat(await(admission.confirm(claim.task(), epoch))).isTrue();
        assertThat(await(admission.confirm(claim.task(), epoch + 1))).isFalse();
        assertThat(await(admission.confirm(newTask(), epoch))).isFalse();
        claim.release();

        assertThat(await(admission.confirm(claim.task(), epoch))).isFalse();
    }
}
