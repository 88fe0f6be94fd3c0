package dev.sluice.gateway.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** The picture of ARCHITECTURE.md, held to by the compiled classes. */
@DisplayName("Packages and calls keep the rules of the house")
@AnalyzeClasses(packages = "dev.sluice", importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
    @ArchTest
    static final ArchRule theLedgerNeedsTheJdkAlone = classes()
            .that()
            .resideInAPackage("dev.sluice.admission..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.sluice.admission..", "java..", "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule theSubjectsOfTheGatewayFormNoCycle =
            slices().matching("dev.sluice.gateway.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheGatewayItselfMeetsAllOfThem = noClasses()
            .that()
            .resideInAPackage("dev.sluice.gateway.*..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.sluice.gateway"));

    @ArchTest
    static final ArchRule theSubjectsKnowEachOtherOnlyDownwards = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.sluice.gateway..")
            .layer("wiring")
            .definedBy("dev.sluice.gateway")
            .layer("dialect")
            .definedBy("dev.sluice.gateway.openai..", "dev.sluice.gateway.anthropic..")
            .layer("body")
            .definedBy("dev.sluice.gateway.body..")
            .layer("admin")
            .definedBy("dev.sluice.gateway.admin..")
            .layer("tasks")
            .definedBy("dev.sluice.gateway.tasks..")
            .layer("batches")
            .definedBy("dev.sluice.gateway.batches..")
            .layer("files")
            .definedBy("dev.sluice.gateway.files..")
            .layer("webhooks")
            .definedBy("dev.sluice.gateway.webhooks..")
            .layer("responses")
            .definedBy("dev.sluice.gateway.responses..")
            .layer("http")
            .definedBy("dev.sluice.gateway.http..")
            .layer("upstream")
            .definedBy("dev.sluice.gateway.upstream..")
            .layer("translation")
            .definedBy("dev.sluice.gateway.translation..")
            .layer("telemetry")
            .definedBy("dev.sluice.gateway.telemetry..")
            .layer("rounds")
            .definedBy("dev.sluice.gateway.rounds..")
            .layer("config")
            .definedBy("dev.sluice.gateway.config..")
            .whereLayer("wiring")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("dialect")
            .mayOnlyBeAccessedByLayers("wiring")
            .whereLayer("body")
            .mayOnlyBeAccessedByLayers("dialect", "responses")
            .whereLayer("admin")
            .mayOnlyBeAccessedByLayers("wiring")
            .whereLayer("tasks")
            .mayOnlyBeAccessedByLayers("wiring", "responses")
            .whereLayer("responses")
            .mayOnlyBeAccessedByLayers("wiring")
            .whereLayer("batches")
            .mayOnlyBeAccessedByLayers("wiring")
            .whereLayer("webhooks")
            .mayOnlyBeAccessedByLayers("wiring")
            .whereLayer("files")
            .mayOnlyBeAccessedByLayers("wiring", "batches")
            .whereLayer("http")
            .mayOnlyBeAccessedByLayers("wiring", "dialect", "body", "tasks", "responses", "files", "batches")
            .whereLayer("upstream")
            .mayOnlyBeAccessedByLayers("wiring", "http")
            .whereLayer("translation")
            .mayOnlyBeAccessedByLayers("http", "upstream")
            .whereLayer("rounds")
            .mayOnlyBeAccessedByLayers("tasks", "batches", "webhooks")
            .whereLayer("telemetry")
            .mayOnlyBeAccessedByLayers("wiring", "http", "admin");

    @ArchTest
    static final ArchRule nobodySleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .orShould()
            .callMethod(TimeUnit.class, "sleep", long.class);

    @ArchTest
    static final ArchRule nobodyReadsTheWallClockThatWasNotHandedAClock = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callConstructor(Date.class);
}
