package dev.sluice.admission.mutants;

import java.util.List;

/** The faults that must be noticed, each with the group of the contract whose rule it breaks. */
final class Mutants {
    private Mutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of("Release", "a release is not fenced by its epoch")
                    .edit("Ledger", "grant.epoch() == epoch ? node : null", "grant.epoch() != 0 ? node : null"),
            Mutant.of("Release", "a release promotes nobody")
                    .edit(
                            "Ledger",
                            "Change.Cause.RELEASED, now); promotion.run(now); book.sweepIfGrown();",
                            "Change.Cause.RELEASED, now);"),
            Mutant.of("Limits", "a limit lets one more in")
                    .edit("ScopeState", "active + amount <= limit);", "active + amount <= limit + Amount.ONE);"),
            Mutant.of("Limits", "a limit keeps the last one out")
                    .edit("ScopeState", "active + amount <= limit);", "active + amount < limit);"),
            Mutant.of("Order", "a newcomer is served before those who wait")
                    .edit("Ledger", "expiry.run(now); promotion.run(now);", "expiry.run(now);")
                    .edit(
                            "Ledger",
                            "Change.Cause.RELEASED, now); promotion.run(now); book.sweepIfGrown();",
                            "Change.Cause.RELEASED, now);"),
            Mutant.of("Order", "the last to come runs first")
                    .edit(
                            "Node",
                            "priority < otherPriority : sequence < otherSequence",
                            "priority < otherPriority : sequence > otherSequence"),
            Mutant.of("Order", "priorities are ignored")
                    .edit("Node", "priority = changed.ask().priority();", "priority = 0;"),
            Mutant.of("Placement", "the rotation is stuck")
                    .edit("Rotation", "route.lastChosen = placement.provider();", "route.lastChosen = \"\";"),
            Mutant.of("Placement", "placement ignores the load")
                    .edit("Fitting", "return byLoad != 0 ? byLoad :", "return byLoad == 0 ? byLoad :"),
            Mutant.of("QueueLimits", "a corpse counts as waiting")
                    .edit(
                            "Ledger",
                            "advance(now); Decision decision = intake.submit(ask, now);",
                            "Decision decision = intake.submit(ask, now);"),
            Mutant.of("LongContext", "a long slot is never given back")
                    .edit(
                            "Book",
                            "scope.active -= held.amounts()[i];",
                            "scope.active -= scope.scope.type().equals(Scope.PROVIDER_LONG) ? 0 : held.amounts()[i];"),
            Mutant.of("Reserve", "a reserve binds nobody")
                    .edit("ProviderSlots", "return reserved == 0 ?", "return reserved >= 0 ?"),
            Mutant.of("Reserve", "a reserve does not count what ran before it")
                    .edit(
                            "Footprint",
                            "provider != null && provider.isDivided",
                            "provider != null && provider.id.isEmpty()"),
            Mutant.of("Reserve", "whom a reserve keeps out is overtaken")
                    .edit("Granting", "|| queue.holdsUpNobody()", ""),
            Mutant.of("QueueLimits", "a queue takes one too many")
                    .edit(
                            "QueueRules",
                            "scope.waiting() >= scope.policy.queueLimit()",
                            "scope.waiting() > scope.policy.queueLimit()"),
            Mutant.of("QueueLimits", "a scope without a queue lets tasks wait")
                    .edit(
                            "QueueRules",
                            "return scope.isLimited() && waitsForIt",
                            "return scope.isLimited() && waitsForIt && scope.limit < 0"),
            Mutant.of("QueueLimits", "asynchronous tasks that wait do not count")
                    .edit("QueueRules", "scope.active + scope.waitingAmount + amount", "scope.active + amount"),
            Mutant.of("Overtaking", "what is set aside is given to others")
                    .edit("ScopeState", "if (starved.isEmpty() ||", "if (!starved.isEmpty() ||"),
            Mutant.of("Overtaking", "a starved task holds up those before it")
                    .edit("ScopeState", "holder == node || node.before(holder)", "holder == node"),
            Mutant.of("Overtaking", "only the first starved task sets aside")
                    .edit("ScopeState", "aside += own;", "return own;"),
            Mutant.of("Overtaking", "overtakes are not counted")
                    .edit("Granting", "if (!charged.contains(passed))", "if (charged.contains(passed))"),
            Mutant.of("Overtaking", "overtakes that take nothing from the waiter count")
                    .edit("ScopeState", "if (largest == 0 || fits(largest))", "if (largest == 0)")
                    .edit("ScopeState", "first != null && fits(first.amount)", "first == null"),
            Mutant.of("Overtaking", "only the front of a scope is charged")
                    .edit("ScopeState", "first != null && fits(first.amount)", "first == null"),
            Mutant.of("Takeover", "a takeover does not tell the old waiter")
                    .edit("Claims", "return gone(before.task(), Eviction.SUPERSEDED);", "return null;"),
            Mutant.of("Deadlines", "a reload does not arm deadlines anew")
                    .edit(
                            "Reconfiguration",
                            "Math.min(row.deadlineCap(), deadlines.of(row.ask(), row.enqueuedAt()))",
                            "row.deadline()"),
            Mutant.of("Release", "a second release frees again")
                    .edit(
                            "Ledger",
                            "if (node == null) { return false; } recorder.release(node, Change.Cause.RELEASED, now);",
                            """
                            if (node == null) {
                                book.scopes.values().forEach(scope -> scope.active -= Math.min(scope.active, 1_000));
                                return true;
                            }
                            recorder.release(node, Change.Cause.RELEASED, now);"""),
            Mutant.of("Deadlines", "what is due is done a moment late").edit("Agenda", "next() > now", "next() >= now"),
            Mutant.of("Renewal", "a renewal adds to what is left")
                    .edit("Ledger", "now + grant.ttl())); recorder", "grant.expiresAt() + grant.ttl())); recorder"),
            Mutant.of("Deadlines", "a lost waiter wins over a passed deadline")
                    .edit(
                            "Expiry",
                            "if (node.row.deadline() <= now)",
                            "if (node.row.deadline() <= now && book.waiterUntil(node.row) > now)"),
            Mutant.of("Waiters", "a detached task is not skipped")
                    .edit("Book", "if (!node.row.detached()) { join", "if (node.row.waits()) { join"),
            Mutant.of("Waiters", "a heartbeat keeps a detached task")
                    .edit("Book", "row.detached() ? row.waiterUntil() : Math.max", "Math.max"),
            Mutant.of("Waiters", "any waiter may renew a place")
                    .edit("Ledger", "&& sync.waiter().equals(waiter)", "&& !waiter.isEmpty()"),
            Mutant.of("Providers", "a provider that is down gets work")
                    .edit("ProviderSlots", "slots.open = isEnabled() && up;", "slots.open = isEnabled();"),
            Mutant.of("FailOver", "a failover that is refused gives up its leases")
                    .edit(
                            "Intake",
                            "case Answer.Refused refused -> new Rejected(moved.task(), refused.refusal());",
                            """
                            case Answer.Refused refused -> {
                                recorder.release(node, Change.Cause.RELEASED, now);
                                yield new Rejected(moved.task(), refused.refusal());
                            }"""),
            Mutant.of("Rebind", "a moved task is as young as its move")
                    .edit(
                            "Intake",
                            "Row moved = before.asked(rebound)",
                            "Row moved = before.renumbered(book.nextSequence).asked(rebound)")
                    .edit("Row", "Row held(long until, boolean away) {", """
                            Row renumbered(long next) {
                                return new Row(ask, next, enqueuedAt, deadline, deadlineCap, waiterUntil, detached,
                                        overtakes, dispatchOnly, bound, grant);
                            }

                            Row held(long until, boolean away) {"""),
            Mutant.of("Spill", "a later entry does not wait for its spill time")
                    .edit("RouteState", "if (!earlierLive ||", "if (!entry.candidates().isEmpty() ||"),
            Mutant.of("Strict", "strict order is not kept")
                    .edit(
                            "Fitting",
                            "return front != null && front != node && front.before(node);",
                            "return front == null;"));
}
