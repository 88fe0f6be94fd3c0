package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Lease;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.Scope;
import dev.sluice.admission.WaitReason.Kind;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rules 2 and 4: a long request needs a long slot where the provider separates them; a normal one never asks. */
abstract class LongContextContract extends ContractGroup {
    LongContextContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static ProviderPolicy gpu(String id, int capacity, int longCapacity) {
        return new ProviderPolicy(id, capacity, longCapacity, 0, true);
    }

    @Test
    void aLongRequestHoldsALongSlotAndANormalOne() {
        open(route("chat", gpu("a", 8, 2)));

        var admitted = longContext("chat").admitted();

        assertThat(admitted.placement().orElseThrow().longSlot()).isTrue();
        assertThat(admitted.leases()).contains(new Lease(Scope.providerLong("a"), Amount.ONE));
        assertThat(provider("a").inFlight()).isEqualTo(1);
        assertThat(provider("a").longInFlight()).isEqualTo(1);
    }

    @Test
    void longRequestsAreLimitedThoughNormalSlotsAreFree() {
        open(route("chat", gpu("a", 8, 2)));

        many(2, () -> longContext("chat")).forEach(Claim::isAdmitted);

        longContext("chat").waits(Kind.LONG_CONTEXT_CAPACITY_FULL);
        assertThat(provider("a").longInFlight()).isEqualTo(2);
    }

    @Test
    void aNormalRequestNeverAsksForALongSlot() {
        open(route("chat", gpu("a", 4, 1)));
        longContext("chat").isAdmitted();
        longContext("chat").waits();

        var normal = many(3, () -> routed("chat"));

        normal.forEach(Claim::isAdmitted);
        assertThat(normal.getFirst().admitted().placement().orElseThrow().longSlot())
                .isFalse();
        assertThat(provider("a").longInFlight()).isEqualTo(1);
    }

    @Test
    void aProviderWithoutALongCapacityHasNoSeparateLimit() {
        open(route("chat", gpu("a", 3, 0)));

        List<Claim> claims = many(3, () -> longContext("chat"));

        claims.forEach(Claim::isAdmitted);
        assertThat(claims.getFirst().admitted().placement().orElseThrow().longSlot())
                .isFalse();
        assertThat(provider("a").longInFlight()).isZero();
        longContext("chat").waits(Kind.CAPACITY_FULL);
    }

    @Test
    void theEndOfALongRequestServesTheNextLongOne() {
        open(route("chat", gpu("a", 8, 1)));
        Claim running = longContext("chat").isAdmitted();
        Claim waiter = longContext("chat").waits();
        Claim normal = routed("chat").isAdmitted();

        normal.release();
        waiter.waits();
        running.release();

        waiter.isAdmitted();
        waiter.release();
        assertThat(provider("a").longInFlight()).isZero();
        assertThat(provider("a").inFlight()).isZero();
    }

    @Test
    void aLongRequestGoesWhereALongSlotIsThoughAnotherProviderIsIdle() {
        open(route("chat", gpu("a", 8, 1), gpu("b", 8, 2)));
        longContext("chat").isAdmitted();
        longContext("chat").isAdmitted();
        routed("chat").isAdmitted();
        routed("chat").isAdmitted();
        routed("chat").isAdmitted();

        assertThat(longContext("chat").provider()).isEqualTo("b");
        longContext("chat").waits(Kind.LONG_CONTEXT_CAPACITY_FULL);
    }

    @Test
    void aLongRequestWaitsForCapacityWhenNoSlotOfAnyKindIsFree() {
        open(route("chat", gpu("a", 2, 1)));
        longContext("chat").isAdmitted();
        routed("chat").isAdmitted();

        longContext("chat").waits(Kind.CAPACITY_FULL);
    }

    @Test
    void aNormalRequestPassesALongOneThatLacksOnlyALongSlot() {
        open(route("chat", gpu("a", 2, 1)));
        longContext("chat").isAdmitted();
        Claim blocked = longContext("chat").waits();

        Claim normal = routed("chat").isAdmitted();
        Claim next = routed("chat").waits();
        normal.release();

        next.isAdmitted();
        blocked.waits();
    }

    @Test
    void aRaisedLongCapacityServesThoseWhoWait() {
        open(route("chat", gpu("a", 8, 1)));
        longContext("chat").isAdmitted();
        Claim waiter = longContext("chat").waits();

        configure(route("chat", gpu("a", 8, 2)));

        waiter.isAdmitted();
    }

    @Test
    void aLongCapacityThatIsTakenAwayLiftsTheSeparateLimit() {
        open(route("chat", gpu("a", 8, 1)));
        Claim running = longContext("chat").isAdmitted();
        Claim waiter = longContext("chat").waits();

        configure(route("chat", gpu("a", 8, 0)));
        waiter.isAdmitted();
        running.release();

        assertThat(provider("a").longInFlight()).isZero();
        assertThat(provider("a").inFlight()).isEqualTo(1);
    }

    @Test
    void aLongSlotIsFreedWhenItsLeaseExpires() {
        open(route("chat", gpu("a", 8, 1)));
        longContext("chat").isAdmitted();

        silence(seconds(120));

        longContext("chat").isAdmitted();
        assertThat(provider("a").longInFlight()).isEqualTo(1);
    }
}
