package dev.comporta.server.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the optional libraries of the store may be needed by. */
@AnalyzeClasses(
    packages = "dev.comporta.server",
    importOptions = ImportOption.DoNotIncludeTests.class)
class StoreImportsTest {

  @ArchTest
  static final ArchRule ONLY_THE_REDIS_STORE_NEEDS_REDISSON =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.comporta.server.store.redis..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.redisson..");

  @ArchTest
  static final ArchRule ONLY_THE_GUARD_NEEDS_A_BREAKER =
      noClasses()
          .that()
          .doNotBelongToAnyOf(GuardedStore.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.github.resilience4j..");
}
