package dev.comporta.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

@AnalyzeClasses(
    packages = "dev.comporta.client",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule IMPORTS_GO_ONE_WAY =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("header")
          .definedBy("dev.comporta.client.header..")
          .layer("pacing")
          .definedBy("dev.comporta.client.pacing..")
          .layer("retry")
          .definedBy("dev.comporta.client.retry..")
          .layer("client")
          .definedBy("dev.comporta.client")
          .layer("cli")
          .definedBy("dev.comporta.client.cli..")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("retry")
          .mayOnlyBeAccessedByLayers("client", "cli")
          .whereLayer("pacing")
          .mayOnlyBeAccessedByLayers("retry", "client");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.comporta.client.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ONE_CLASS_READS_CLOCKS_AND_WAITS =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(SystemTimeline.class.getName())
          .and()
          .resideOutsideOfPackage("dev.comporta.client.cli..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(LocalDateTime.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(TimeUnit.class, "sleep", long.class)
          .orShould()
          .callMethod(Condition.class, "await")
          .orShould()
          .callMethod(Condition.class, "await", long.class, TimeUnit.class)
          .orShould()
          .callMethod(Condition.class, "awaitNanos", long.class)
          .orShould()
          .callMethod(Object.class, "wait")
          .orShould()
          .callMethod(Object.class, "wait", long.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(LockSupport.class);

  @ArchTest
  static final ArchRule HEADER_AND_PACER_ARE_FREE_OF_IO_AND_THE_REST_API =
      noClasses()
          .that()
          .resideInAnyPackage("dev.comporta.client.header..", "dev.comporta.client.pacing..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta..", "java.net..", "io.github.resilience4j..", "org.slf4j..");

  @ArchTest
  static final ArchRule ONLY_THE_COMMAND_LINE_KNOWS_ITS_LIBRARIES =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.comporta.client.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("picocli..", "jakarta.json..");

  @ArchTest
  static final ArchRule ONE_CLASS_KNOWS_MICROMETER =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(CallMeters.class.getName())
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.micrometer..");

  @ArchTest
  static final ArchRule TWO_CLASSES_KNOW_MICROPROFILE =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(RateLimitedRestClient.class.getName())
          .and()
          .haveNameNotMatching(".*\\.RateLimitedRestClient\\$.*|.*\\.MethodCallPassage(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.microprofile..");

  @ArchTest
  static final ArchRule NOTHING_OF_JAVAX =
      noClasses().should().dependOnClassesThat().resideInAPackage("javax..");
}
