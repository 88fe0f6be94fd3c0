package dev.sluice.admission.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Every named fault is noticed by its group of the contract, or by another, or by the histories. */
class MutantsTest {
    private static final String CONTRACT = "dev.sluice.admission.MemoryAdmissionTest";
    private static final String GROUPS = "dev.sluice.admission.contract.AdmissionContract$";
    private static final String HISTORIES = "dev.sluice.admission.MemoryHistoriesTest";

    /** What ran against one mutant, until the first failure. */
    private static final class Run implements TestExecutionListener {
        private final CancellationToken token = CancellationToken.create();
        private final List<String> failed = new ArrayList<>();
        private int passed;

        /** The group that should notice it, since that is quicker. */
        void group(Mutant mutant) {
            MutantLoader loader = MutantLoader.load(mutant);
            execute(selectNestedClass(List.of(loader.type(CONTRACT)), loader.type(GROUPS + mutant.group())));
        }

        void contract(Mutant mutant) {
            execute(selectClass(MutantLoader.load(mutant).type(CONTRACT)));
        }

        void histories(Mutant mutant) {
            execute(selectClass(MutantLoader.load(mutant).type(HISTORIES)));
        }

        private void execute(DiscoverySelector selector) {
            var discovery = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selector)
                    .build();
            LauncherFactory.create()
                    .execute(LauncherExecutionRequestBuilder.request(discovery)
                            .listeners(this)
                            .cancellationToken(token)
                            .build());
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failed.add(test.getDisplayName());
                token.cancel();
            } else if (test.isTest()) {
                passed++;
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyFaultIsNoticed() {
        return Mutants.ALL.stream().map(mutant -> DynamicTest.dynamicTest(mutant.name(), () -> assertCaught(mutant)));
    }

    @Test
    void theEngineItselfPassesInTheSameWay() {
        Run run = new Run();

        run.contract(Mutant.of("", "no fault"));

        assertThat(run.failed).isEmpty();
        assertThat(run.passed).isGreaterThan(250);
    }

    @Test
    void thereAreAtLeastTwelveFaultsOfDifferentNames() {
        assertThat(Mutants.ALL.stream().map(Mutant::name))
                .hasSizeGreaterThanOrEqualTo(12)
                .doesNotHaveDuplicates();
    }

    private static void assertCaught(Mutant mutant) {
        Run run = new Run();
        run.group(mutant);
        assertThat(run.passed + run.failed.size())
                .as("tests of %s", mutant.group())
                .isPositive();
        if (run.failed.isEmpty()) {
            run.contract(mutant);
        }
        if (run.failed.isEmpty()) {
            run.histories(mutant);
        }
        assertThat(run.failed).as("what notices: %s", mutant).isNotEmpty();
    }
}
