package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Death;
import husk.model.ExecuteRequest;
import husk.model.KernelOptions;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several who do something to the state of one kernel at the same time.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LiveStateAtOnceTest extends LiveFixture {
  @Override
  KernelOptions options() {
    return host.options();
  }

  /// Runs all at once; refusals are nobody's failure here.
  private static void atOnce(Runnable... deeds) {
    try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ =
          Stream.of(deeds)
              .map(deed -> CompletableFuture.runAsync(() -> unlessRefused(deed), each))
              .toList();
    }
  }

  private static void unlessRefused(Runnable deed) {
    try {
      deed.run();
    } catch (Problem refused) {
      // the other was quicker
    }
  }

  @Test
  void checkpointThatIsDroppedDuringRollbacksTakesNothingWithIt() {
    make("a");
    value("a", "x = 1");
    for (int i = 0; i < 10; i++) {
      checkpoint("a", "c");
      atOnce(
          () -> host.core.rollback("a", Optional.of("c")),
          () -> host.core.rollback("a", Optional.of("c")),
          () -> host.core.dropCheckpoint("a", "c"));
      assertThat(host.core.checkpoints("a")).isEmpty();
      assertThat(value("a", "x")).isEqualTo("1");
    }
  }

  @Test
  void kernelThatComesBackWhileItIsDestroyedLeavesNoProcessBehind() {
    for (int i = 0; i < 10; i++) {
      make("a");
      run("a", ExecuteRequest.of("import os; os._exit(1)"));
      atOnce(() -> value("a", "1"), () -> host.core.destroy("a"));
      unlessRefused(() -> host.core.destroy("a"));
    }
  }

  @Test
  void labelIsGivenOnce() {
    make("a");
    Runnable take = () -> checkpoint("a", "c");
    atOnce(take, take, take, take);
    assertThat(host.core.checkpoints("a")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\u001b[31mred", "two\nlines", "\ud800"})
  void labelThatATerminalWouldObeyIsRefusedAndShownEscaped(String label) {
    make("a");
    assertThatThrownBy(() -> checkpoint("a", label))
        .hasMessageContaining("cannot be the label")
        .message()
        .matches("[ -~]*");
  }

  @Test
  void codeThatARollbackEndedIsToldThatAndNotThatAllIsLost() {
    make("a");
    value("a", "x = 1");
    checkpoint("a", "c");
    try (var aside = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          CompletableFuture.supplyAsync(
              () -> run("a", ExecuteRequest.of("import time; time.sleep(60)")), aside);
      Eventually.until(
          Duration.ofSeconds(20),
          () -> host.core.list().getFirst().status() == KernelStatus.BUSY,
          () -> "the code does not run");
      host.core.rollback("a", Optional.of("c"));
      var ended = running.join();
      assertThat(ended.death().map(Death::cause)).contains(Death.Cause.REPLACED);
      assertThat(ended.error().orElseThrow().evalue()).doesNotContain("lost");
    }
    assertThat(value("a", "x")).isEqualTo("1");
  }
}
