package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Ask;
import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.WaitReason;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How long a task may wait, when the bound changes, and what ends a wait first. */
abstract class DeadlinesContract extends ContractGroup {
    private static final Duration NEARLY = Duration.ofNanos(1_000);

    DeadlinesContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static ScopePolicy waiting(long seconds) {
        return queued(1).maxWait(seconds(seconds));
    }

    private static Policies dispatch(Duration timeout) {
        return route("chat", ProviderPolicy.of("gpu", 1))
                .with(QueueingPolicy.DEFAULT.dispatch(new DispatchPolicy(10, timeout)));
    }

    /** Nothing before the deadline, the eviction at it. */
    private void assertDeadline(Claim claim, Duration left) {
        assertThat(claim.deadlineIn()).isEqualTo(left);
        timePasses(left.minus(NEARLY));
        claim.isPending();
        timePasses(NEARLY);
        claim.evicted(Eviction.QUEUE_TIMEOUT);
        assertThat(claim.isUnknown()).isTrue();
    }

    @Test
    void theSmallestMaxWaitOfTheScopesWithAQueueEndsTheWait() {
        open(Policies.NONE
                .with(MODEL, waiting(60))
                .with(GROUP, waiting(40))
                .with(OTHER_GROUP, ScopePolicy.limit(5).maxWait(seconds(5))));
        sync(MODEL).isAdmitted();

        Claim claim = sync(MODEL, GROUP, OTHER_GROUP).waits();

        assertDeadline(claim, seconds(40));
    }

    @Test
    void theRequestMayShortenItsWait() {
        open(Policies.NONE.with(MODEL, waiting(60)));
        sync(MODEL).isAdmitted();

        assertDeadline(submit(ask(MODEL).within(MaxWait.atMost(seconds(7)))).waits(), seconds(7));
    }

    @Test
    void theRequestCannotLengthenItsWait() {
        open(Policies.NONE.with(MODEL, waiting(20)));
        sync(MODEL).isAdmitted();

        assertDeadline(submit(ask(MODEL).within(MaxWait.atMost(seconds(90)))).waits(), seconds(20));
    }

    @Test
    void maxWaitIsTenMinutesUnlessSaidOtherwise() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();

        assertDeadline(sync(MODEL).waits(), seconds(600));
    }

    @Test
    void anAsynchronousTaskMayWaitADay() {
        open(Policies.NONE.with(MODEL, waiting(20).leaseTtl(Duration.ofDays(3))));
        sync(MODEL).isAdmitted();
        Claim claim = async(MODEL).waits();

        assertThat(claim.deadlineIn()).isEqualTo(Duration.ofHours(24));
        silence(Duration.ofHours(24).minus(NEARLY));
        claim.isPending();
        silence(NEARLY);
        claim.evicted(Eviction.QUEUE_TIMEOUT);
    }

    @Test
    void anAsynchronousTaskMayShortenItsWait() {
        open(Policies.NONE.with(MODEL, waiting(20)));
        sync(MODEL).isAdmitted();

        assertDeadline(
                submit(Ask.async(newTask(), NORMAL, one(MODEL)).within(MaxWait.atMost(seconds(300))))
                        .waits(),
                seconds(300));
    }

    @Test
    void anAsynchronousTaskThatComesBackIsNotHeldToTheFirstWaitOfItsRequest() {
        open(Policies.NONE.with(MODEL, waiting(20)));
        Claim back = submit(Ask.async(newTask(), NORMAL, one(MODEL)).within(MaxWait.DO_NOT_QUEUE))
                .isAdmitted();
        Claim urgent = submit(prioritised(ask(MODEL), NORMAL - 1)).waits();

        assertThat(await(admission.handBack(back.task(), back.admitted().epoch())))
                .isTrue();

        urgent.isAdmitted();
        assertThat(back.view().waiting()).isTrue();
        assertThat(back.deadlineIn()).isEqualTo(Duration.ofHours(24));
        await(admission.configure(Policies.NONE.with(MODEL, waiting(30))));
        assertThat(back.view().waiting()).isTrue();
        urgent.release();
        assertThat(back.view().waiting()).isFalse();
    }

    @Test
    void theDispatchTimeoutBoundsAWaitForAProviderOnly() {
        open(dispatch(seconds(12)));
        routed("chat").isAdmitted();

        assertDeadline(routed("chat").waits(), seconds(12));
    }

    @Test
    void aDispatchTimeoutOfZeroIsNone() {
        open(dispatch(Duration.ZERO));
        routed("chat").isAdmitted();
        Claim claim = routed("chat").waits();

        assertThat(claim.view().deadlineIn()).isEmpty();
        timePasses(Duration.ofHours(2));

        claim.isPending();
    }

    @Test
    void theMaxWaitOfAScopeWithAQueueReplacesTheDispatchTimeout() {
        open(dispatch(seconds(12)).with(GROUP, queued(50).maxWait(seconds(45))));
        routed("chat").isAdmitted();

        assertDeadline(routed("chat", GROUP).waits(), seconds(45));
    }

    @Test
    void anEvictionSaysWhatWasWaitedForAndHowLong() {
        open(Policies.NONE.with(MODEL, waiting(14)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        silence(seconds(14));

        Evicted evicted = claim.evicted(Eviction.QUEUE_TIMEOUT);
        assertThat(evicted.waited()).isEqualTo(seconds(14));
        assertThat(evicted.blockedBy().map(WaitReason::text)).hasValue("scope:platform_model");
        assertThat(evicted.retryAfter()).isBetween(seconds(1), seconds(60));
    }

    @Test
    void aGrantBeforeTheDeadlineStands() {
        open(Policies.NONE.with(MODEL, waiting(14)));
        Claim running = sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        silence(seconds(14).minus(NEARLY));

        running.release();
        silence(seconds(10));

        assertThat(claim.admitted().waited()).isEqualTo(seconds(14).minus(NEARLY));
        assertActive(MODEL, 1);
    }

    @Test
    void aReleaseAtTheDeadlineDoesNotReviveATask() {
        open(Policies.NONE.with(MODEL, waiting(14)));
        Claim running = sync(MODEL).isAdmitted();
        Claim late = sync(MODEL).waits();
        silence(seconds(5));
        Claim next = sync(MODEL).waits();

        fixture.elapse(seconds(9));
        running.release();

        late.evicted(Eviction.QUEUE_TIMEOUT);
        next.isAdmitted();
    }

    @Test
    void aPassedDeadlineWinsOverALostWaiter() {
        open(Policies.NONE.with(MODEL, waiting(15)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();

        silence(seconds(15));

        claim.evicted(Eviction.QUEUE_TIMEOUT);
        assertThat(admission.totals().evictedTimeout()).isEqualTo(1);
        assertThat(admission.totals().evictedWaiterLost()).isZero();
    }

    @Test
    void aShorterMaxWaitIsCountedFromTheStartOfTheWait() {
        open(Policies.NONE.with(MODEL, waiting(60)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(10));

        configure(Policies.NONE.with(MODEL, waiting(25)));

        assertDeadline(claim, seconds(15));
    }

    @Test
    void aLongerMaxWaitIsCountedFromTheStartOfTheWait() {
        open(Policies.NONE.with(MODEL, waiting(20)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(10));

        configure(Policies.NONE.with(MODEL, waiting(50)));

        assertDeadline(claim, seconds(40));
    }

    @Test
    void aMaxWaitThatIsOverAlreadyEndsTheWaitAtOnce() {
        open(Policies.NONE.with(MODEL, waiting(60)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(10));

        configure(Policies.NONE.with(MODEL, waiting(9)));
        fixture.tick();

        claim.evicted(Eviction.QUEUE_TIMEOUT);
    }

    @Test
    void theRequestsOwnBoundOutlivesALongerMaxWait() {
        open(Policies.NONE.with(MODEL, waiting(20)));
        sync(MODEL).isAdmitted();
        Claim claim = submit(ask(MODEL).within(MaxWait.atMost(seconds(12)))).waits();

        configure(Policies.NONE.with(MODEL, waiting(500)));

        assertDeadline(claim, seconds(12));
    }

    @Test
    void aQueueThatIsTakenAwayLeavesTheDefaultBound() {
        open(Policies.NONE.with(MODEL, waiting(20)));
        sync(MODEL).isAdmitted();
        Claim claim = sync(MODEL).waits();
        timePasses(seconds(10));

        configure(limit(MODEL, 1));

        assertThat(claim.deadlineIn()).isEqualTo(seconds(590));
    }

    @Test
    void aDispatchTimeoutCanBeSwitchedOffAndOnWhileTasksWait() {
        open(dispatch(seconds(20)));
        routed("chat").isAdmitted();
        Claim claim = routed("chat").waits();
        timePasses(seconds(10));

        configure(dispatch(Duration.ZERO));
        assertThat(claim.view().deadlineIn()).isEmpty();
        timePasses(seconds(100));
        claim.isPending();
        configure(dispatch(seconds(130)));

        assertDeadline(claim, seconds(20));
    }

    @Test
    void aDispatchTimeoutThatIsOverWhenSwitchedOnEndsTheWait() {
        open(dispatch(Duration.ZERO));
        routed("chat").isAdmitted();
        Claim claim = routed("chat").waits();
        timePasses(seconds(100));

        configure(dispatch(seconds(30)));
        fixture.tick();

        claim.evicted(Eviction.QUEUE_TIMEOUT);
    }

    @Test
    void aShorterBoundForAsynchronousTasksAppliesToThoseThatWait() {
        open(queued(MODEL, 1));
        sync(MODEL).isAdmitted();
        Claim claim = async(MODEL).waits();
        timePasses(seconds(10));

        configure(queued(MODEL, 1)
                .with(new QueueingPolicy(
                        QueueingPolicy.DEFAULT.ordering(), 64, seconds(100), seconds(15), DispatchPolicy.DEFAULT)));

        assertDeadline(claim, seconds(90));
    }

    @Test
    void aTimeoutLetsThoseRunWhomTheTaskHeldUp() {
        open(Policies.NONE.with(MODEL, queued(4).maxWait(seconds(10))).with(QueueingPolicy.DEFAULT.maxOvertakes(1)));
        Claim running = sync(units(MODEL, 3)).isAdmitted();
        Claim starved = sync(units(MODEL, 4)).waits();
        sync(MODEL).isAdmitted();
        running.release();
        silence(seconds(5));
        Claim held = sync(MODEL).waits(WaitReason.Kind.BEHIND_OTHERS);

        silence(seconds(5));

        starved.evicted(Eviction.QUEUE_TIMEOUT);
        held.isAdmitted();
    }
}
