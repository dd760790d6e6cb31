package dev.comporta.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/** The law of who may know whom. A change of it is a commit of its own. */
@AnalyzeClasses(
    packages = "dev.comporta.server",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ROOT = "dev.comporta.server.";

  /** Each may know those before it. */
  private static final List<String> ROOMS =
      List.of(
          "api",
          "policy",
          "algorithm",
          "caller",
          "store",
          "http",
          "config",
          "cdi",
          "observe",
          "limiter",
          "filter",
          "testing");

  @ArchTest
  static final ArchRule HAS_NO_CYCLES =
      slices().matching("dev.comporta.server.(**)").should().beFreeOfCycles();

  @ArchTest
  static void roomsKnowOnlyThoseBeforeThem(JavaClasses imported) {
    for (int i = 0; i < ROOMS.size(); i++) {
      List<String> after = new ArrayList<>();
      for (String room : ROOMS.subList(i + 1, ROOMS.size())) {
        after.add(ROOT + room + "..");
      }
      if (!after.isEmpty()) {
        noClasses()
            .that()
            .resideInAPackage(ROOT + ROOMS.get(i) + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(after.toArray(String[]::new))
            .check(imported);
      }
    }
  }

  @ArchTest
  static final ArchRule EVERY_CLASS_HAS_A_ROOM =
      classes()
          .should()
          .resideInAnyPackage(
              ROOMS.stream().map(room -> ROOT + room + "..").toArray(String[]::new));

  @ArchTest
  static final ArchRule CALLERS_AND_API_KNOW_NO_POLICY =
      noClasses()
          .that()
          .resideInAnyPackage("..server.caller..", "..server.api..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..server.policy..", "..server.algorithm..");

  @ArchTest
  static final ArchRule ONLY_THE_REDIS_STORE_KNOWS_REDISSON =
      noClasses()
          .that(not(resideInAPackage("..server.store.redis..")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.redisson..", "io.netty..");

  @ArchTest
  static final ArchRule ONLY_THE_GUARD_KNOWS_RESILIENCE4J =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.GuardedStore(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.github.resilience4j..");

  @ArchTest
  static final ArchRule NOBODY_KNOWS_CAFFEINE_OR_GUAVA =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.github.benmanes..", "com.google..");

  @ArchTest
  static final ArchRule ONLY_SHARED_STORE_OPENS_REDIS =
      noClasses()
          .that(not(resideInAPackage("..server.store.redis..")))
          .and()
          .haveSimpleNameNotStartingWith("SharedStore")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..server.store.redis..");

  @ArchTest
  static final ArchRule ONLY_SERVLET_CLASSES_OF_THE_FILTER_KNOW_SERVLETS =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.server\\.filter\\.Servlet[A-Za-z]*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.servlet..");

  @ArchTest
  static final ArchRule ONLY_ONE_CLASS_EACH_KNOWS_JERSEY_AND_GRIZZLY =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.server\\.filter\\.(JerseyLifecycle|GrizzlyPeerFilter)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.glassfish..", "jakarta.inject..");

  @ArchTest
  static final ArchRule ONLY_CONFIG_KNOWS_MICROPROFILE_CONFIG =
      noClasses()
          .that(not(resideInAPackage("..server.config..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.microprofile.config..");

  @ArchTest
  static final ArchRule ONLY_THE_HEALTH_CHECK_KNOWS_MICROPROFILE_HEALTH =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.server\\.observe\\.StoreHealthCheck(Bean)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.microprofile.health..");

  @ArchTest
  static final ArchRule ONLY_THE_OPENAPI_FILTER_KNOWS_MICROPROFILE_OPENAPI =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.server\\.observe\\.(OpenApiFilter|RefusalDocumentation)")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.eclipse.microprofile.openapi..");

  @ArchTest
  static final ArchRule ONLY_METERS_KNOW_MICROMETER =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.server\\.observe\\.Meters(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.micrometer..");

  @ArchTest
  static final ArchRule ONLY_CLASSES_THAT_CDI_OR_A_CHECK_LOADS_KNOW_CDI =
      noClasses()
          .that()
          .haveNameNotMatching(
              ".*\\.server\\.(cdi\\.(Container|ObserverMethods|RateLimitsExtension)"
                  + "|observe\\.(HealthExtension|StoreHealthCheck(Bean)?))")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.enterprise..");

  @ArchTest
  static final ArchRule ONLY_CLOCKS_READ_THE_TIME =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.server\\.store\\.(AnchoredClock|MonotonicClock)")
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  @ArchTest
  static final ArchRule ALGORITHMS_ONLY_COMPUTE =
      noClasses()
          .that()
          .resideInAPackage("..server.algorithm..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..",
              "java.nio..",
              "java.net..",
              "java.time..",
              "java.util.concurrent..",
              "org.slf4j..",
              "jakarta.ws.rs..");

  @ArchTest
  static final ArchRule NOBODY_KNOWS_JAVAX_OF_OLD =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "javax.ws..",
              "javax.servlet..",
              "javax.inject..",
              "javax.annotation..",
              "javax.enterprise..");

  @ArchTest
  static final ArchRule NOBODY_IMPLEMENTS_A_CONTEXT_OF_JAKARTA_REST =
      noClasses()
          .should()
          .implement("jakarta.ws.rs.container.ContainerRequestContext")
          .orShould()
          .implement("jakarta.ws.rs.core.SecurityContext")
          .orShould()
          .implement("jakarta.ws.rs.core.Configuration")
          .orShould()
          .implement("jakarta.ws.rs.container.ResourceInfo");
}
