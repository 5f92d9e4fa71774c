package husk.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// Who may know whom. An arrow that is missing here is missing on purpose.
final class DirectionTest {
  private static final JavaClasses HUSK =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("husk");

  @Test
  void modelKnowsNobody() {
    classes()
        .that()
        .resideInAPackage("husk.model..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("husk.model..", "java..", "org.jspecify..")
        .because("every part, the thin client above all, loads it")
        .check(HUSK);
  }

  @Test
  void theThinClientLoadsNothingButItself() {
    classes()
        .that()
        .resideInAnyPackage("husk.cli..", "husk.local..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "husk.cli..",
            "husk.local..",
            "husk.agent..",
            "husk.spi..",
            "husk.model..",
            "java..",
            "sun.misc..",
            "org.jspecify..")
        .because("its start is the first thing a user feels; each library costs milliseconds")
        .check(HUSK);
  }

  @Test
  void wireIsPure() {
    noClasses()
        .that()
        .resideInAPackage("husk.wire..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("husk.kernels..", "husk.core..", "husk.store..", "husk.api..")
        .because("bytes in, values out: it is tested and fuzzed with bytes alone")
        .check(HUSK);
  }

  @Test
  void kernelsKnowNeitherNamesNorTheRegistry() {
    noClasses()
        .that()
        .resideInAPackage("husk.kernels..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("husk.core..", "husk.store..", "husk.api..")
        .because("talking to a kernel must not depend on what it is called")
        .check(HUSK);
  }

  @Test
  void storeKnowsOnlyTheModel() {
    noClasses()
        .that()
        .resideInAPackage("husk.store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("husk.kernels..", "husk.core..", "husk.api..", "husk.wire..")
        .because("what is kept must not depend on how it came about")
        .check(HUSK);
  }

  @Test
  void sandboxesKnowNoBackend() {
    noClasses()
        .that()
        .resideOutsideOfPackages("husk.backends..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("husk.backends..")
        .because("a new backend is a new module, found by ServiceLoader")
        .check(HUSK);
  }

  @Test
  void backendsKnowNeitherNamesNorPolicy() {
    noClasses()
        .that()
        .resideInAnyPackage("husk.backends..", "husk.agent..", "husk.spi..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "husk.sandboxes..", "husk.store..", "husk.core..", "husk.proxy..", "husk.kernels..")
        .because("a backend makes what it is told to make")
        .check(HUSK);
  }

  @Test
  void proxyKnowsNothingOfSandboxes() {
    classes()
        .that()
        .resideInAPackage("husk.proxy..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("husk.proxy..", "husk.model..", "java..", "javax..", "org.jspecify..")
        .because("what decides what leaves a machine must be readable alone")
        .check(HUSK);
  }

  @Test
  void nothingBelowTheApiKnowsHttp() {
    noClasses()
        .that()
        .resideOutsideOfPackages("husk.api..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.helidon..")
        .because("a rule that stood in a route would be missing in the Java library")
        .check(HUSK);
  }

  @Test
  void whatIsServedOverTcpKnowsNoCoreWithoutBounds() {
    noClasses()
        .that()
        .resideInAPackage("husk.api..")
        .and()
        .resideOutsideOfPackages("husk.api.server..", "husk.api.listen..", "husk.api.observe..")
        .and()
        .haveNameNotMatching(
            "husk.api.(rest.(Daemon|Environments|Inspection|Trust)|sandboxes.Used)Endpoint.*")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("husk.core.Core|husk.sandboxes.Sandboxes")
        .because("an endpoint that has a Service alone cannot forget who asks")
        .check(HUSK);
  }

  @Test
  void onlyTheStoreKnowsSql() {
    noClasses()
        .that()
        .resideOutsideOfPackages("husk.store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.sqlite..")
        .because("the registry's form is the store's own business")
        .check(HUSK);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("husk.(**)").should().beFreeOfCycles().check(HUSK);
  }
}
