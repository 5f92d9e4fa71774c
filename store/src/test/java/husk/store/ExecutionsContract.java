package husk.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Ids;
import husk.model.Problem;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every registry promises about executions, on top of what it promises about kernels.
abstract class ExecutionsContract extends RegistryContract {
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00.000000007Z");

  @Test
  void executionRunsUntilItHasAResult() {
    var row = begin(kernel("demo"), "e1", NOON);

    assertThat(registry.execution("e1")).contains(row);
    assertThat(registry.running(row.kernelId())).containsExactly(row);

    registry.finish("e1", "{\"output\":\"🐚 'quoted'\"}", NOON.plusNanos(1));

    var finished = registry.execution("e1").orElseThrow();
    assertThat(finished.finished()).isTrue();
    assertThat(finished.endedAt()).contains(NOON.plusNanos(1));
    assertThat(finished.resultJson()).contains("{\"output\":\"🐚 'quoted'\"}");
    assertThat(finished.requestJson()).isEqualTo(row.requestJson());
    assertThat(registry.running(row.kernelId())).isEmpty();
  }

  @Test
  void unknownExecutionIsNotFoundAndCannotBeFinished() {
    registry.finish("nobody", "{}", NOON);

    assertThat(registry.execution("nobody")).isEmpty();
  }

  @Test
  void firstResultStands() {
    begin(kernel("demo"), "e1", NOON);
    registry.finish("e1", "first", NOON);
    registry.finish("e1", "second", NOON.plusSeconds(1));

    assertThat(registry.execution("e1").orElseThrow().resultJson()).contains("first");
  }

  @Test
  void runningIsInTheOrderOfBeginningAndLatestInTheOpposite() {
    var kernel = kernel("demo");
    begin(kernel("other"), "foreign", NOON);
    begin(kernel, "second", NOON.plusNanos(1));
    begin(kernel, "first", NOON);
    begin(kernel, "third", NOON.plusNanos(1));

    assertThat(registry.running(kernel))
        .extracting(ExecutionRow::executionId)
        .containsExactly("first", "second", "third");
    assertThat(registry.executions(kernel, 2))
        .extracting(ExecutionRow::executionId)
        .containsExactly("third", "second");
    assertThat(registry.executions(kernel, 0)).isEmpty();
  }

  @Test
  void newestFiftyFinishedExecutionsOfAKernelAreKeptAndEveryRunningOne() {
    var kernel = kernel("demo");
    var other = kernel("other");
    begin(other, "foreign", NOON);
    registry.finish("foreign", "{}", NOON);
    begin(kernel, "running", NOON);
    for (int i = 0; i < 60; i++) {
      begin(kernel, "e" + i, NOON.plusSeconds(i));
      registry.finish("e" + i, "{}", NOON.plusSeconds(i));
    }

    assertThat(registry.executions(kernel, 1000))
        .extracting(ExecutionRow::executionId)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, 50)
                .mapToObj(i -> i < 50 ? "e" + (59 - i) : "running")
                .toList());
    assertThat(registry.execution("e9")).isEmpty();
    assertThat(registry.execution("foreign")).isPresent();
  }

  @Test
  void whatHasJustFinishedIsNeverPrunedHoweverLongItRan() {
    var kernel = kernel("demo");
    begin(kernel, "long", NOON);
    for (int i = 1; i <= 60; i++) {
      begin(kernel, "e" + i, NOON.plusSeconds(i));
      registry.finish("e" + i, "{}", NOON.plusSeconds(i));
    }
    registry.finish("long", "done", NOON.plusSeconds(100));

    assertThat(registry.execution("long").orElseThrow().resultJson()).contains("done");
  }

  @Test
  void largeResultComesBackWhole() {
    begin(kernel("demo"), "e1", NOON);
    var large = "0123456789abcdef".repeat(1 << 20);
    registry.finish("e1", large, NOON);

    assertThat(registry.execution("e1").orElseThrow().resultJson().orElseThrow().equals(large))
        .isTrue();
  }

  @Test
  void executionsGoWithTheirKernel() {
    var kernel = kernel("demo");
    begin(kernel, "e1", NOON);
    begin(kernel, "e2", NOON);
    registry.finish("e1", "{}", NOON);

    registry.remove(kernel);
    registry.finish("e2", "{}", NOON);

    assertThat(registry.execution("e1")).isEmpty();
    assertThat(registry.execution("e2")).isEmpty();
    assertThat(registry.executions(kernel, 10)).isEmpty();
  }

  @Test
  void executionOnADestroyedKernelIsRefused() {
    var kernel = kernel("demo");
    registry.remove(kernel);

    assertThatThrownBy(() -> begin(kernel, "e1", NOON))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.KERNEL_NOT_FOUND))
        .hasMessageContaining(kernel);
  }

  @Test
  void usedExecutionIdIsRefusedAndTheFirstExecutionUntouched() {
    var kernel = kernel("demo");
    var first = begin(kernel, "e1", NOON);

    assertThatThrownBy(() -> begin(kernel("other"), "e1", NOON))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.INVALID_REQUEST))
        .hasMessageContaining("e1");
    assertThat(registry.execution("e1")).contains(first);
  }

  @Test
  void rowHasBothAnEndAndAResultOrNeither() {
    assertThatThrownBy(
            () ->
                new ExecutionRow(
                    "e", "k", "m", "{}", NOON, Optional.empty(), Optional.of("result")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String kernel(String name) {
    return registry.claim(Kernels.named(name)).kernelId();
  }

  private ExecutionRow begin(String kernelId, String executionId, Instant at) {
    var row = ExecutionRow.running(executionId, kernelId, Ids.fresh(), "{\"code\":\"1\"}", at);
    registry.begin(row);
    return row;
  }
}
