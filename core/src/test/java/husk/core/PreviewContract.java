package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Checkpoint;
import husk.model.Effects;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.model.Rollback;
import husk.model.StartedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a preview tells, and how it is decided on, wherever the kernel lives.
abstract class PreviewContract extends LiveFixture {
  Effects effects(String kernel, String code) {
    var result = run(kernel, ExecuteRequest.of(code).previewing());
    return result.effects().orElseThrow(() -> new AssertionError(result.toString()));
  }

  static void refused(Problem.Code code, Runnable asked) {
    assertThatThrownBy(asked::run)
        .isInstanceOfSatisfying(Problem.class, p -> assertThat(p.code()).isEqualTo(code));
  }

  @Test
  void aPreviewTellsWhatChangedAndTheKernelHasIt() {
    make("a");
    value("a", "x = 1; gone = 2");

    var effects = effects("a", "x = 2; new = [1]; del gone");

    assertThat(effects.checkpoint()).contains("preview");
    assertThat(effects.partial()).isFalse();
    var variables = effects.variables().orElseThrow();
    assertThat(names(variables.added())).containsExactly("new");
    assertThat(names(variables.changed())).containsExactly("x");
    assertThat(names(variables.removed())).containsExactly("gone");
    assertThat(effects.processes()).contains(List.of());
    assertThat(value("a", "x")).isEqualTo("2");
  }

  @Test
  void whatIsDiscardedIsAsIfItHadNeverRun() {
    make("a");
    value("a", "x = [1]");
    effects("a", "x.append(2)");
    value("a", "x.append(3)");

    host.core.discardPreview("a");

    assertThat(value("a", "x")).isEqualTo("[1]");
    assertThat(host.core.checkpoints("a")).isEmpty();
    refused(Problem.Code.CHECKPOINT_NOT_FOUND, () -> host.core.discardPreview("a"));
  }

  @Test
  void whatIsKeptStaysAndCannotBeDecidedOnAgain() {
    make("a");
    value("a", "x = 1");
    effects("a", "x = 2");

    host.core.keepPreview("a");

    assertThat(value("a", "x")).isEqualTo("2");
    assertThat(host.core.checkpoints("a")).isEmpty();
    refused(Problem.Code.CHECKPOINT_NOT_FOUND, () -> host.core.keepPreview("a"));
  }

  @Test
  void aSecondPreviewWaitsForTheDecisionOnTheFirst() {
    make("a");
    effects("a", "x = 1");

    refused(Problem.Code.PREVIEW_OPEN, () -> effects("a", "x = 2"));

    assertThat(value("a", "x")).isEqualTo("1");
    host.core.keepPreview("a");
    assertThat(names(effects("a", "x = 2").variables().orElseThrow().changed()))
        .containsExactly("x");
  }

  @Test
  void theRequestMayDecideAtOnce() {
    make("a");
    value("a", "x = 1");

    var looked = run("a", ExecuteRequest.of("x = 2; x").previewing().rollingBack(Rollback.ALWAYS));

    assertThat(looked.returnValue()).contains("2");
    assertThat(looked.rolledBack()).isTrue();
    assertThat(looked.effects().orElseThrow().checkpoint()).isEmpty();
    assertThat(names(looked.effects().orElseThrow().variables().orElseThrow().changed()))
        .containsExactly("x");
    assertThat(value("a", "x")).isEqualTo("1");
    var failed =
        run("a", ExecuteRequest.of("x = 3; 1/0").previewing().rollingBack(Rollback.ON_ERROR));
    assertThat(failed.rolledBack()).isTrue();
    assertThat(host.core.checkpoints("a")).isEmpty();
    assertThat(value("a", "x")).isEqualTo("1");
  }

  @Test
  void codeThatFailsHasEffectsToo() {
    make("a");
    var failed = run("a", ExecuteRequest.of("x = 1; 1/0").previewing());

    assertThat(failed.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(names(failed.effects().orElseThrow().variables().orElseThrow().added()))
        .containsExactly("x");
    var late =
        run(
            "a",
            ExecuteRequest.of("y = 1\nwhile True: pass")
                .within(Duration.ofSeconds(1))
                .rollingBack(Rollback.NEVER));
    assertThat(late.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(late.effects()).isEmpty();
    host.core.discardPreview("a");
    assertThat(value("a", "'x' in globals(), 'y' in globals()")).isEqualTo("(False, False)");
  }

  @Test
  void aPreviewThatKillsItsKernelLeavesTheStateBefore() {
    make("a");
    value("a", "x = 1");

    var died = run("a", ExecuteRequest.of("x = 2; import os; os._exit(3)").previewing());

    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    var effects = died.effects().orElseThrow();
    assertThat(effects.variables()).isEmpty();
    assertThat(effects.processes()).isEmpty();
    assertThat(effects.partial()).isTrue();
    assertThat(effects.checkpoint()).contains("preview");
    host.core.discardPreview("a");
    assertThat(value("a", "x")).isEqualTo("1");
  }

  @Test
  void whatItStartedIsToldAndWhetherItStillRuns() {
    make("a");

    var effects =
        effects(
            "a",
            "import subprocess; subprocess.run(['true', 'and more']);"
                + " p = subprocess.Popen(['sleep', '600'])");

    assertThat(effects.processes())
        .contains(
            List.of(
                new StartedProcess(List.of("true", "and more"), false),
                new StartedProcess(List.of("sleep", "600"), true)));
    host.core.discardPreview("a");
    assertThat(run("a", ExecuteRequest.of("1")).ok()).isTrue();
  }

  @Test
  void whatACopyWouldLackIsRefusedAsDataBeforeAnythingRuns() {
    make("a");
    value(
        "a",
        "import threading; t = threading.Event(); n = threading.Thread(target=t.wait, name='mine',"
            + " daemon=True); n.start(); x = 1");

    assertThatThrownBy(() -> effects("a", "x = 2"))
        .isInstanceOfSatisfying(
            Problem.class,
            p -> {
              assertThat(p.code()).isEqualTo(Problem.Code.COPY_REFUSED);
              assertThat(p.hazards())
                  .extracting("kind", "name")
                  .contains(org.assertj.core.groups.Tuple.tuple("thread", "mine"));
            });
    assertThat(value("a", "x")).isEqualTo("1");
    assertThat(host.core.checkpoints("a")).isEmpty();
    value("a", "t.set(); n.join()");
  }

  @Test
  void aPreviewIsNoPartOfARetryAndItsLabelIsTaken() {
    make("a");
    refused(
        Problem.Code.INVALID_REQUEST,
        () -> run("a", ExecuteRequest.of("x = 1").previewing().attempting("x = 1")));
    refused(Problem.Code.INVALID_REQUEST, () -> checkpoint("a", "preview"));
    assertThat(host.core.checkpoints("a")).isEmpty();
  }

  @Test
  void whileItRunsItCannotBeDecidedOn() throws InterruptedException {
    make("a");
    var runs = new CountDownLatch(1);
    var code = "import time\nx = 2\nprint('it runs', flush=True)\ntime.sleep(600)";
    var busy = Thread.ofVirtual().start(() -> preview(code, runs));
    assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();

    refused(Problem.Code.PREVIEW_OPEN, () -> host.core.keepPreview("a"));
    refused(Problem.Code.PREVIEW_OPEN, () -> host.core.discardPreview("a"));

    host.core.interrupt("a");
    busy.join();
    host.core.discardPreview("a");
    assertThat(value("a", "'x' in globals()")).isEqualTo("False");
  }

  private void preview(String code, CountDownLatch runs) {
    host.core.execute(
        "a",
        ExecuteRequest.of(code).previewing(),
        Optional.empty(),
        host.caller(),
        event -> {
          if (event.toString().contains("it runs")) {
            runs.countDown();
          }
        });
  }

  @Test
  void anOpenPreviewAndItsEffectsOutliveTheCore() {
    make("a");
    value("a", "x = 1");
    var result = run("a", ExecuteRequest.of("x = 2").previewing());

    host.core.close();
    host.core = host.another();

    assertThat(host.core.result(result.executionId(), false)).contains(result);
    assertThat(host.core.checkpoints("a"))
        .extracting(Checkpoint::label)
        .containsExactly(Optional.of("preview"));
    host.core.discardPreview("a");
    assertThat(value("a", "x")).isEqualTo("1");
  }

  @Test
  void theEndOfAStreamHasTheEffects() {
    make("a");
    var ended = new java.util.ArrayList<ExecutionEvent>();
    host.core.execute(
        "a", ExecuteRequest.of("x = 1").previewing(), Optional.empty(), host.caller(), ended::add);
    assertThat(ended.getLast())
        .isInstanceOfSatisfying(
            ExecutionEvent.Ended.class, end -> assertThat(end.result().effects()).isPresent());
  }
}
