package husk.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Ids;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every registry promises about kernels; [ExecutionsContract] speaks of executions.
@ExtendWith(LeakDetector.class)
abstract class RegistryContract {
  TempHome home;
  Registry registry;

  /// Opens the registry of a test; `folder` is its own, and empty at first.
  abstract Registry open(Path folder);

  @BeforeEach
  final void openRegistry() throws IOException {
    home = TempHome.create();
    registry = open(home.path());
  }

  @AfterEach
  final void closeRegistry() throws IOException {
    try {
      registry.close();
    } finally {
      home.close();
    }
  }

  @Test
  void everyFieldComesBackAsItWas() {
    var full = Kernels.full("everything");
    var plain = Kernels.of(Ids.fresh(), Optional.empty(), Optional.empty());

    assertThat(registry.claim(full)).isEqualTo(full);
    registry.claim(plain);

    assertThat(registry.find(full.kernelId())).contains(full);
    assertThat(registry.find(plain.kernelId())).contains(plain);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "it's",
        "\"quoted\"",
        "'; DROP TABLE kernels; --",
        "' OR '1'='1",
        "100%_?*[a-z]",
        "🐚🇩🇪 ﷽",
        "кернел",
        "a/../b",
        " leading and trailing ",
        "?1",
        "NULL"
      })
  void anyNameIsFoundAsItIsAndAsNothingElse(String name) {
    var kernel = registry.claim(Kernels.named(name));

    assertThat(registry.find(name)).contains(kernel);
    assertThat(registry.find(name + " ")).isEmpty();
    assertThat(registry.find(name.toLowerCase(Locale.ROOT) + "x")).isEmpty();
    assertThat(registry.list()).containsExactly(kernel);
  }

  @Test
  void namesAreToldApartByCase() {
    var lower = registry.claim(Kernels.named("demo"));
    var upper = registry.claim(Kernels.named("DEMO"));

    assertThat(registry.find("demo")).contains(lower);
    assertThat(registry.find("DEMO")).contains(upper);
  }

  @Test
  void secondClaimOfANameGetsTheFirstKernel() {
    var first = registry.claim(Kernels.named("demo"));

    assertThat(registry.claim(Kernels.named("demo"))).isEqualTo(first);
    assertThat(registry.list()).containsExactly(first);
  }

  @Test
  void claimIsRefusedWhenAnotherAnswersToAnyOfItsNames() {
    var held = registry.claim(Kernels.named("name", "session"));

    assertThat(registry.claim(Kernels.named("session"))).isEqualTo(held);
    assertThat(registry.claim(Kernels.named("other", "session"))).isEqualTo(held);
    assertThat(registry.claim(Kernels.named("other", "name"))).isEqualTo(held);
    assertThat(registry.claim(Kernels.named(held.kernelId()))).isEqualTo(held);
    assertThat(registry.claim(Kernels.named("other", held.kernelId()))).isEqualTo(held);
    assertThat(registry.claim(Kernels.of(held.kernelId(), Optional.empty(), Optional.empty())))
        .isEqualTo(held);
    assertThat(registry.list()).containsExactly(held);
  }

  @Test
  void aCandidateWhoseIdIsAnothersNameIsRefused() {
    var id = Ids.fresh();
    var held = registry.claim(Kernels.named(id));

    assertThat(registry.claim(Kernels.of(id, Optional.of("other"), Optional.empty())))
        .isEqualTo(held);
  }

  @Test
  void oneStringMayBeANameAndTheSessionNameOfTheSameKernel() {
    var both = registry.claim(Kernels.named("demo", "demo"));

    assertThat(registry.find("demo")).contains(both);
  }

  @Test
  void manyKernelsMayHaveNoName() {
    registry.claim(Kernels.of(Ids.fresh(), Optional.empty(), Optional.empty()));
    registry.claim(Kernels.of(Ids.fresh(), Optional.empty(), Optional.empty()));

    assertThat(registry.list()).hasSize(2);
  }

  @Test
  void nameIsFreeAgainOnceItsKernelIsRemoved() {
    var first = registry.claim(Kernels.named("demo"));
    registry.remove(first.kernelId());
    var second = Kernels.named("demo");

    assertThat(registry.claim(second)).isEqualTo(second);
  }

  @Test
  void threadsThatClaimOneNameGetOneKernel() throws Exception {
    var claims = new ArrayList<Callable<String>>();
    for (int i = 0; i < 64; i++) {
      claims.add(() -> registry.claim(Kernels.named("demo")).kernelId());
    }
    var ids = new HashSet<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> claim : threads.invokeAll(claims)) {
        ids.add(claim.get());
      }
    }
    assertThat(ids).hasSize(1);
    assertThat(registry.list()).hasSize(1);
  }

  @Test
  void kernelsAreListedInTheOrderTheyWereCreated() {
    var newer = Kernels.createdAt(Kernels.named("newer"), Instant.ofEpochSecond(1, 2));
    var newest = Kernels.createdAt(Kernels.named("newest"), Instant.ofEpochSecond(1, 3));
    var oldest = Kernels.createdAt(Kernels.named("oldest"), Instant.ofEpochSecond(1, 1));
    registry.claim(newer);
    registry.claim(newest);
    registry.claim(oldest);

    assertThat(registry.list()).containsExactly(oldest, newer, newest);
  }

  @Test
  void updateReplacesTheRowByTheChangeOfItsPresentValue() {
    var kernel = registry.claim(Kernels.named("demo"));
    registry.addAttempt(kernel.kernelId());

    var updated =
        registry.update(kernel.kernelId(), present -> present.withStatus(KernelStatus.IDLE));

    assertThat(updated).isEqualTo(registry.find("demo"));
    assertThat(updated.orElseThrow().status()).isEqualTo(KernelStatus.IDLE);
    assertThat(updated.orElseThrow().attemptCount()).isEqualTo(1);
  }

  @Test
  void updateCanSetEveryField() {
    var kernel = registry.claim(Kernels.full("demo"));
    var other = Kernels.renamed(kernel, "changed");

    assertThat(registry.update(kernel.kernelId(), _ -> other)).contains(other);
    assertThat(registry.find(kernel.kernelId())).contains(other);
    assertThat(registry.find("demo")).isEmpty();
  }

  @Test
  void destroyedKernelIsNeverInsertedAgain() {
    var kernel = registry.claim(Kernels.named("demo"));
    assertThat(registry.remove(kernel.kernelId())).contains(kernel);

    assertThat(registry.update(kernel.kernelId(), _ -> kernel)).isEmpty();
    registry.touch(kernel.kernelId(), Instant.now(), KernelStatus.IDLE);
    assertThat(registry.addAttempt(kernel.kernelId())).isZero();
    assertThat(registry.remove(kernel.kernelId())).isEmpty();
    assertThat(registry.list()).isEmpty();
  }

  @Test
  void updateToAnotherKernelsNameIsRefused() {
    registry.claim(Kernels.named("taken", "taken too"));
    var kernel = registry.claim(Kernels.named("demo"));

    for (var name : new String[] {"taken", "taken too"}) {
      assertThatThrownBy(
              () -> registry.update(kernel.kernelId(), present -> Kernels.renamed(present, name)))
          .isInstanceOfSatisfying(
              Problem.class,
              p -> assertThat(p.code()).isEqualTo(Problem.Code.KERNEL_ALREADY_EXISTS))
          .hasMessageContaining(name);
    }
    assertThat(registry.find("demo")).contains(kernel);
  }

  @Test
  void updateThatFailsChangesNothingAndLeavesTheRegistryUsable() {
    var kernel = registry.claim(Kernels.named("demo"));

    assertThatThrownBy(
            () ->
                registry.update(
                    kernel.kernelId(),
                    _ -> {
                      throw new IllegalStateException("on purpose");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> registry.update(kernel.kernelId(), _ -> Kernels.named("demo")))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(registry.find("demo")).contains(kernel);
    assertThat(registry.claim(Kernels.named("next")).name()).contains("next");
  }

  @Test
  void attemptsOfManyThreadsAreAllCounted() throws Exception {
    var kernel = registry.claim(Kernels.named("demo"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        var _ = threads.submit(() -> registry.addAttempt(kernel.kernelId()));
        var _ = threads.submit(() -> registry.update(kernel.kernelId(), present -> present));
      }
    }
    assertThat(registry.addAttempt(kernel.kernelId())).isEqualTo(101);
    assertThat(registry.find("demo").orElseThrow().attemptCount()).isEqualTo(101);
  }

  @Test
  void touchChangesTheTimeOfUseAndTheStatusAlone() {
    var kernel = registry.claim(Kernels.full("demo"));
    var now = Instant.parse("2026-05-06T07:08:09.987654321Z");

    registry.touch(kernel.kernelId(), now, KernelStatus.BUSY);

    var touched = registry.find("demo").orElseThrow();
    assertThat(touched.lastUsedAt()).isEqualTo(now);
    assertThat(touched)
        .usingRecursiveComparison()
        .ignoringFields("lastUsedAt", "status")
        .isEqualTo(kernel);
    assertThat(touched.status()).isEqualTo(KernelStatus.BUSY);
  }

  @Test
  void launchIsKeptWithItsKernelAndForgottenWithIt() {
    var launch = "{\"env\":{\"TOKEN\":\"zwei 🐚\"}}";
    var kernel = registry.claim(Kernels.named("demo"), launch, 10);
    assertThat(registry.launch(kernel.kernelId())).contains(launch);

    registry.remove(kernel.kernelId());
    assertThat(registry.launch(kernel.kernelId())).isEmpty();
  }

  @Test
  void whoeverLosesANameDoesNotReplaceTheLaunchOfItsHolder() {
    var held = registry.claim(Kernels.named("demo"), "first", 10);
    var other = Kernels.named("demo");
    registry.claim(other, "second", 10);

    assertThat(registry.launch(held.kernelId())).contains("first");
    assertThat(registry.launch(other.kernelId())).isEmpty();
  }

  @Test
  void closedRegistryRefusesByNameAndClosesTwice() {
    registry.close();
    registry.close();

    assertThatThrownBy(() -> registry.list())
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.STORE_FAILED))
        .hasMessageContaining("closed");
  }
}
