package husk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import husk.model.Against;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.Checkpoint;
import husk.model.ExecuteRequest;
import husk.model.ForkRequest;
import husk.model.Hazard;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.model.Rollback;
import husk.model.VariableChange;
import husk.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What every Husk promises about copies of kernels and ways back.
abstract class LiveStateContract extends HuskFixture {
  private static final String LISTENING =
      "import threading, time; t = threading.Thread(target=time.sleep, args=(600,), daemon=True,"
          + " name='pump'); t.start()";

  private String value(String kernel, String expression) {
    return husk.execute(kernel, expression).returnValue().orElse("nothing");
  }

  // Forks

  @Test
  void aForkHasTheVariablesAndGoesItsOwnWay() {
    var original = husk.getOrCreate("demo");
    husk.execute(original, "x = [1]");

    var fork = husk.fork(original, "other");
    husk.execute(fork, "x.append(2)");

    assertThat(fork.name()).contains("other");
    assertThat(value("other", "x")).isEqualTo("[1, 2]");
    assertThat(value("demo", "x")).isEqualTo("[1]");
    assertThat(husk.forkedFrom(fork)).contains(original.kernelId());
    assertThat(husk.forkedFrom("demo")).isEmpty();
  }

  @Test
  void severalForksAreOfOneMoment() {
    husk.execute("demo", "x = 1");

    var forked = husk.fork("demo", ForkRequest.numbered("try", 3));

    assertThat(forked.hazards()).isEmpty();
    assertThat(forked.kernels())
        .extracting(kernel -> kernel.name().orElseThrow())
        .containsExactly("try-1", "try-2", "try-3");
    assertThat(List.of("try-1", "try-2", "try-3")).allMatch(name -> value(name, "x").equals("1"));
    assertThat(husk.fork("demo", ForkRequest.unnamed(2)).kernels())
        .allSatisfy(kernel -> assertThat(kernel.name()).isEmpty());
  }

  @Test
  void aTakenNameForksNothing() {
    husk.getOrCreate("demo");
    husk.getOrCreate("taken");

    assertProblem(
        Problem.Code.KERNEL_ALREADY_EXISTS,
        () -> husk.fork("demo", ForkRequest.named("free", "taken")));

    assertThat(husk.find("free")).isEmpty();
  }

  @Test
  void whatACopyWouldLackIsNamedAndRefusedUnlessToldToProceed() {
    husk.execute("demo", LISTENING);

    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> husk.fork("demo", "other"))
        .withMessageContaining("pump")
        .satisfies(it -> assertThat(it.code()).isEqualTo(Problem.Code.COPY_REFUSED))
        .satisfies(it -> assertThat(it.hazards()).extracting(Hazard::name).containsExactly("pump"));
    assertThat(husk.find("other")).isEmpty();

    var forked = husk.fork("demo", ForkRequest.named("other").proceeding(true));

    assertThat(forked.hazards()).extracting(it -> it.kind()).containsExactly("thread");
    assertThat(value("other", "t.is_alive()")).isEqualTo("False");
  }

  @Test
  void nobodyCanBeForked() {
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.fork("nobody", "other"));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.checkpoint("nobody"));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.bestOf("nobody", List.of("1")));
    assertProblem(Problem.Code.INVALID_REQUEST, () -> ForkRequest.unnamed(0));
    assertProblem(Problem.Code.INVALID_REQUEST, () -> ForkRequest.numbered("x", 101));
  }

  @Test
  void aPromotedForkTakesItsOriginalsPlace() {
    var original = husk.getOrCreate("demo");
    husk.execute(original, "x = 1");
    var fork = husk.fork(original, "other");
    husk.execute(fork, "x = 2");

    var promoted = husk.promote(original, fork);

    assertThat(promoted.kernelId()).isEqualTo(original.kernelId());
    assertThat(promoted.connectionFile()).isEqualTo(original.connectionFile());
    assertThat(value("demo", "x")).isEqualTo("2");
    husk.execute("other", "x = 3");
    assertThat(value("demo", "x")).isEqualTo("2");
  }

  @Test
  void aStrangerIsNotPromoted() {
    var original = husk.getOrCreate("demo");
    var stranger = husk.getOrCreate("stranger");

    assertProblem(Problem.Code.INVALID_REQUEST, () -> husk.promote(original, stranger));
  }

  // Checkpoints

  @Test
  void aKernelGoesBackToItsCheckpointsByLabelAndToTheLatestWithout() {
    husk.execute("demo", "x = 1");
    var first = husk.checkpoint("demo", "first");
    husk.execute("demo", "x = 2");
    var second = husk.checkpoint("demo");
    husk.execute("demo", "x = 3");

    assertThat(husk.checkpoints("demo")).containsExactly(first, second);
    assertThat(husk.rollback("demo")).isEqualTo(second);
    assertThat(value("demo", "x")).isEqualTo("2");
    assertThat(husk.rollback("demo", "first")).isEqualTo(first);
    assertThat(value("demo", "x")).isEqualTo("1");
    assertThat(husk.rollback("demo", second.id())).isEqualTo(second);
    assertThat(value("demo", "x")).isEqualTo("2");
  }

  @Test
  void aDroppedCheckpointIsGone() {
    var kernel = husk.getOrCreate("demo");
    var kept = husk.checkpoint(kernel, "a/b ü");

    husk.dropCheckpoint(kernel, kept);

    assertThat(husk.checkpoints(kernel)).isEmpty();
    assertProblem(Problem.Code.CHECKPOINT_NOT_FOUND, () -> husk.rollback(kernel));
    assertProblem(Problem.Code.CHECKPOINT_NOT_FOUND, () -> husk.dropCheckpoint("demo", "a/b ü"));
    assertProblem(Problem.Code.CHECKPOINT_NOT_FOUND, () -> husk.dropCheckpoint("demo", ""));
  }

  @Test
  void aLabelIsUsedOnce() {
    husk.getOrCreate("demo");
    husk.checkpoint("demo", "clean");

    assertProblem(Problem.Code.INVALID_REQUEST, () -> husk.checkpoint("demo", "clean"));

    assertThat(husk.checkpoints("demo"))
        .extracting(Checkpoint::label)
        .containsExactly(Optional.of("clean"));
  }

  @Test
  void aFailedTransactionLeavesNoTrace() {
    husk.execute("demo", "x = 1");

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                husk.transaction(
                    "demo",
                    () -> {
                      husk.execute("demo", "x = 2");
                      throw new IllegalStateException("on purpose");
                    }));

    assertThat(value("demo", "x")).isEqualTo("1");
    assertThat(husk.checkpoints("demo")).isEmpty();
  }

  @Test
  void aTransactionThatSucceedsStaysAndMayEvenDestroyItsKernel() {
    var kernel = husk.getOrCreate("demo");

    assertThat(husk.transaction(kernel, () -> husk.execute(kernel, "x = 2").ok())).isTrue();
    assertThat(value("demo", "x")).isEqualTo("2");
    assertThat(husk.checkpoints(kernel)).isEmpty();
    assertThat(husk.transaction(kernel, () -> husk.destroy(kernel))).isTrue();
  }

  // Differences and previews

  @Test
  void whatHasChangedIsToldOfCheckpointsAndForks() {
    var kernel = husk.getOrCreate("demo");
    husk.execute(kernel, "x = 1");
    var then = husk.checkpoint(kernel, "a/b ü");
    var fork = husk.fork(kernel, "other");
    husk.execute(kernel, "x = 2; y = [1]");

    for (var diff :
        List.of(
            husk.diff(kernel),
            husk.diff(kernel, then),
            husk.diff("demo", Against.checkpoint("a/b ü")),
            husk.diff(kernel, fork))) {
      assertThat(diff.variables().added()).extracting(VariableChange::name).containsExactly("y");
      assertThat(diff.variables().changed()).extracting(VariableChange::name).containsExactly("x");
      assertThat(diff.variables().added().getFirst().after().orElseThrow().shape())
          .contains(List.of(1L));
      assertThat(diff.partial()).isFalse();
    }
    assertThat(husk.diff(kernel).against()).isEqualTo("a/b ü");
    assertProblem(
        Problem.Code.CHECKPOINT_NOT_FOUND, () -> husk.diff("demo", Against.checkpoint("")));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.diff("demo", Against.kernel("nobody")));
  }

  @Test
  void aPreviewIsKeptOrDiscarded() {
    var kernel = husk.getOrCreate("demo");
    husk.execute(kernel, "x = 1");

    var effects = husk.preview(kernel, "x = 2").effects().orElseThrow();

    assertThat(effects.checkpoint()).contains("preview");
    assertThat(effects.variables().orElseThrow().changed())
        .extracting(VariableChange::name)
        .containsExactly("x");
    assertThat(effects.processes()).contains(List.of());
    assertProblem(Problem.Code.PREVIEW_OPEN, () -> husk.preview("demo", "x = 3"));
    assertThat(husk.discard(kernel).kernelId()).isEqualTo(kernel.kernelId());
    assertThat(value("demo", "x")).isEqualTo("1");
    husk.preview("demo", "x = 4");
    husk.keep("demo");
    assertThat(value("demo", "x")).isEqualTo("4");
    assertProblem(Problem.Code.CHECKPOINT_NOT_FOUND, () -> husk.keep(kernel));
    assertThat(husk.execute(kernel, "x").effects()).isEmpty();
  }

  // Executions

  @Test
  void codeThatFailsIsTakenBackAndCodeThatSucceedsStays() {
    husk.execute("demo", "x = 1");

    var failed = husk.execute("demo", "x = 2; 1/0", Rollback.ON_ERROR);
    assertThat(failed.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(failed.rolledBack()).isTrue();
    assertThat(value("demo", "x")).isEqualTo("1");

    assertThat(husk.execute("demo", "x = 3", Rollback.ON_ERROR).rolledBack()).isFalse();
    assertThat(value("demo", "x")).isEqualTo("3");

    var looked = husk.execute("demo", "x = 4; x", Rollback.ALWAYS);
    assertThat(looked.returnValue()).contains("4");
    assertThat(looked.rolledBack()).isTrue();
    assertThat(value("demo", "x")).isEqualTo("3");
  }

  @Test
  void everyAttemptBeginsWhereTheFirstDid() {
    husk.execute("demo", "x = 0");

    var result =
        husk.executeWithRetry(
            "demo",
            "x += 1; 1/0",
            (_, attempt) -> attempt < 2 ? Optional.empty() : Optional.of("x += 1; x"),
            Rollback.ON_ERROR);

    assertThat(result.status()).isEqualTo(ResultStatus.SUCCESS);
    assertThat(result.attempts()).hasSize(3);
    assertThat(result.returnValue()).contains("1");
  }

  @Test
  void aKernelThatDiesInATransactionalCellIsAsBefore() {
    var kernel = husk.getOrCreate("demo");
    husk.execute(kernel, "x = 1");

    var died =
        husk.execute(
            kernel, ExecuteRequest.of("import os; os._exit(3)").rollingBack(Rollback.ON_ERROR));

    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.rolledBack()).isTrue();
    var after = husk.execute(kernel, "x");
    assertThat(after.returnValue()).contains("1");
    assertThat(after.stateLost()).isFalse();
  }

  // Best of several

  @Test
  void theFirstThatWorksIsKeptAndTheOthersAreGone() {
    husk.execute("demo", "x = 1");

    var best = husk.bestOf("demo", List.of("1/0", "x = 2", "x = 3"));

    assertThat(best.winner()).contains(1);
    assertThat(best.promoted()).isTrue();
    assertThat(best.variants())
        .extracting(one -> one.result().ok())
        .containsExactly(false, true, true);
    assertThat(value("demo", "x")).isEqualTo("2");
    onlyTheseAreLeft(ANCHOR, "demo");
  }

  @Test
  void theHighestScoreOfAnExpressionWins() {
    husk.getOrCreate("demo");
    var request =
        new BestOfRequest(
            List.of("x = 1", "x = 3", "x = 2"),
            List.of(),
            Optional.of("x"),
            Optional.of(Duration.ofSeconds(60)),
            true,
            false);

    var best = husk.bestOf("demo", request);

    assertThat(best.winner()).contains(1);
    assertThat(best.variants())
        .extracting(BestOf.Variant::score)
        .containsExactly(Optional.of(1.0), Optional.of(3.0), Optional.of(2.0));
    assertThat(value("demo", "x")).isEqualTo("3");
  }

  @Test
  void theHighestScoreGivenHereWins() {
    husk.execute("demo", "base = 10");

    var best =
        husk.bestOf(
            "demo",
            List.of("x = base", "x = base * 2", "1/0", "x = base + 1"),
            (fork, result) ->
                Double.parseDouble(husk.execute(fork, "x").returnValue().orElseThrow()));

    assertThat(best.winner()).contains(1);
    assertThat(best.variants().get(2).score()).isEmpty();
    assertThat(value("demo", "x")).isEqualTo("20");
    onlyTheseAreLeft(ANCHOR, "demo");
  }

  @Test
  void aScoreThatThrowsLeavesNoForkBehind() {
    husk.execute("demo", "x = 1");

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                husk.bestOf(
                    "demo",
                    List.of("x = 2"),
                    (_, _) -> {
                      throw new IllegalStateException("no idea");
                    }));

    assertThat(value("demo", "x")).isEqualTo("1");
    onlyTheseAreLeft(ANCHOR, "demo");
  }

  @Test
  void noneThatSucceedsLeavesTheKernelAsItWas() {
    husk.execute("demo", "x = 1");

    var best = husk.bestOf("demo", List.of("x = 2; 1/0", "x = 3; nonsense"));

    assertThat(best.winner()).isEmpty();
    assertThat(best.promoted()).isFalse();
    assertThat(value("demo", "x")).isEqualTo("1");
  }

  @Test
  void aSeedGivesTheSameNumbersWhoeverScores() {
    husk.execute("demo", "import random");
    var request =
        new BestOfRequest(
            List.of("x = random.random()"),
            List.of(1L, 2L, 1L << 40),
            Optional.of("x"),
            Optional.empty(),
            false,
            false);

    var there = husk.bestOf("demo", request);
    var here =
        husk.bestOf(
            "demo",
            request,
            (fork, _) -> Double.parseDouble(husk.execute(fork, "x").returnValue().orElseThrow()));

    assertThat(there.promoted()).isFalse();
    assertThat(here.winner()).isEqualTo(there.winner());
    assertThat(here.variants())
        .extracting(BestOf.Variant::score)
        .containsExactlyElementsOf(there.variants().stream().map(BestOf.Variant::score).toList())
        .doesNotHaveDuplicates();
  }

  /// Tries are cleared away after the answer.
  private void onlyTheseAreLeft(String... names) {
    Eventually.until(
        Duration.ofSeconds(30),
        () ->
            husk.list().stream()
                .map(kernel -> kernel.name().orElseGet(kernel::kernelId))
                .toList()
                .equals(List.of(names)),
        () -> "kernels are left: " + husk.list().stream().map(KernelRecord::name).toList());
  }
}
