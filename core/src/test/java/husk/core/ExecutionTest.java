package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelStatus;
import husk.model.OutputItem;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class ExecutionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private CoreHost host;

  @BeforeEach
  void open() {
    host = new CoreHost();
  }

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void cellThatPrintsDrawsAndThenRaisesKeepsItsTextAndImageInOrder() {
    var result =
        host.run(
            "k",
            """
            import sys
            from IPython.display import display
            print('out')
            print('err', file=sys.stderr)
            display({'image/png': 'aGVsbG8=', 'text/plain': '<figure>'}, raw=True)
            print('more')
            raise ValueError('no')
            """);
    assertThat(result.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(result.output()).isEqualTo("out\nmore\n");
    assertThat(result.stderr()).isEqualTo("err\n");
    assertThat(result.outputs())
        .extracting(OutputItem::kind)
        .containsExactly("stream", "stream", "display_data", "stream", "error");
    assertThat(result.images()).hasSize(1);
    assertThat(result.images().getFirst().data()).isEqualTo("aGVsbG8=");
    assertThat(result.error().orElseThrow().evalue()).isEqualTo("no");
  }

  @Test
  void updatedDisplayReplacesWhatItShowedBefore() {
    var result =
        host.run(
            "k",
            """
            from IPython.display import display
            handle = display('first', display_id=True)
            handle.update('second')
            """);
    assertThat(result.outputs()).hasSize(1);
    assertThat(result.outputs().getFirst().text()).contains("'second'");
  }

  @Test
  void clearedOutputIsGone() {
    var result =
        host.run(
            "k",
            "from IPython.display import clear_output\nprint('a')\nclear_output()\nprint('b')");
    assertThat(result.output()).isEqualTo("b\n");
  }

  @Test
  void listenerHearsOutputsWhileTheCellRunsAndItsEndLast() {
    var events = new ArrayList<ExecutionEvent>();
    var result =
        host.core.execute(
            "k",
            ExecuteRequest.of("print('a', flush=True)\nprint('b')\n40 + 2"),
            Optional.of(host.options()),
            host.caller(),
            events::add);
    assertThat(events.getFirst()).isInstanceOf(ExecutionEvent.Started.class);
    assertThat(events.getLast()).isEqualTo(new ExecutionEvent.Ended(result));
    var text = new StringBuilder();
    for (var event : events) {
      if (event instanceof ExecutionEvent.Stream(var _, var part)) {
        text.append(part);
      }
    }
    assertThat(text.toString()).isEqualTo("a\nb\n");
  }

  @Test
  void listenerThatFailsDoesNotDisturbTheExecution() {
    var result =
        host.core.execute(
            "k",
            ExecuteRequest.of("print('a')\n1"),
            Optional.of(host.options()),
            host.caller(),
            _ -> {
              throw new IllegalStateException("listener");
            });
    assertThat(result.output()).isEqualTo("a\n");
  }

  @Test
  void cancellingARunningExecutionInterruptsItAndOneThatWaitsNeverRuns() throws Exception {
    host.run("k", "ran = []");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = ExecuteRequest.of("ran.append(1)\nimport time\ntime.sleep(600)");
      var second = ExecuteRequest.of("ran.append(2)");
      var running = threads.submit(() -> host.run("k", first));
      Eventually.until(
          PATIENCE, () -> host.core.require("k").status() == KernelStatus.BUSY, () -> "never busy");
      var waiting = threads.submit(() -> host.run("k", second));
      Eventually.until(PATIENCE, () -> cancelled(second), () -> "not cancelled");
      assertThat(waiting.get().status()).isEqualTo(ResultStatus.CANCELLED);
      assertThat(host.core.cancel(first.executionId())).isTrue();
      assertThat(running.get().status()).isEqualTo(ResultStatus.CANCELLED);
      assertThat(host.core.cancel(first.executionId())).isFalse();
    }
    assertThat(host.run("k", "ran").returnValue()).contains("[1]");
  }

  private boolean cancelled(ExecuteRequest request) {
    try {
      return host.core.cancel(request.executionId());
    } catch (Problem notYetThere) {
      return false;
    }
  }

  @Test
  void callsToOneKernelRunInTheOrderTheyCame() throws Exception {
    host.run("k", "order = []");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var blocker = threads.submit(() -> host.run("k", "import time\ntime.sleep(1.5)"));
      Eventually.until(
          PATIENCE, () -> host.core.require("k").status() == KernelStatus.BUSY, () -> "never busy");
      var calls = new ArrayList<java.util.concurrent.Future<ExecutionResult>>();
      for (int i = 0; i < 5; i++) {
        int number = i;
        calls.add(threads.submit(() -> host.run("k", "order.append(" + number + ")")));
        Thread.sleep(60);
      }
      for (var call : calls) {
        call.get();
      }
      blocker.get();
    }
    assertThat(host.run("k", "order").returnValue()).contains("[0, 1, 2, 3, 4]");
  }

  @Test
  void resultCanBeFetchedByItsIdAndAnIdCannotBeUsedTwice() {
    var request = ExecuteRequest.of("6 * 7");
    var result = host.run("k", request);
    assertThat(host.core.result(request.executionId(), true)).contains(result);
    assertThatThrownBy(() -> host.run("k", request))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.INVALID_REQUEST));
  }

  @Test
  void retryRunsTheRepairedCodeAndRecordsBothAttempts() {
    var attempts = new ArrayList<Integer>();
    var result =
        Retry.run(
            ExecuteRequest.of("x + 1"),
            5,
            request -> host.run("k", request),
            (failed, attempt) -> {
              attempts.add(attempt);
              assertThat(failed.error().orElseThrow().ename()).isEqualTo("NameError");
              return Optional.of("x = 41\nx + 1");
            });
    assertThat(result.status()).isEqualTo(ResultStatus.SUCCESS);
    assertThat(result.returnValue()).contains("42");
    assertThat(result.attempts())
        .extracting(a -> a.status())
        .containsExactly(ResultStatus.ERROR, ResultStatus.SUCCESS);
    assertThat(attempts).containsExactly(1);
  }

  @Test
  void timeoutHandsAProperErrorToTheRepairCallback() {
    var seen = new ArrayList<String>();
    var result =
        Retry.run(
            ExecuteRequest.of("import time\ntime.sleep(600)").within(Duration.ofMillis(400)),
            2,
            request -> host.run("k", request),
            (failed, _) -> {
              seen.add(failed.error().orElseThrow().ename());
              return Optional.of("'quick'");
            });
    assertThat(seen).isEqualTo(List.of("TimeoutError"));
    assertThat(result.returnValue()).contains("'quick'");
  }

  @Test
  void topLevelAwaitAndMagicsWork() {
    assertThat(host.run("k", "import asyncio\nawait asyncio.sleep(0)\n'awaited'").returnValue())
        .contains("'awaited'");
    assertThat(host.run("k", "!echo shell").output()).isEqualTo("shell\n");
    assertThat(host.run("k", "%%bash\necho magic").output()).isEqualTo("magic\n");
  }

  @Test
  void outputOfSubprocessesAndOfNativeCodeIsCaptured() {
    var result =
        host.run(
            "k",
            """
            import ctypes, os, subprocess
            print('python')
            subprocess.run(['echo', 'child'])
            os.write(2, b'raw\\n')
            ctypes.CDLL(None).puts(b'native')
            """);
    assertThat(result.output()).contains("python\n", "child\n", "native\n");
    assertThat(result.stderr()).isEqualTo("raw\n");
  }

  @Test
  void manyKernelsRunAtTheSameTimeAndKeepTheirVariablesApart() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<java.util.concurrent.Future<ExecutionResult>>();
      for (int i = 0; i < 20; i++) {
        var name = "k" + i;
        calls.add(threads.submit(() -> host.run(name, "mine = '" + name + "'")));
      }
      for (var call : calls) {
        assertThat(call.get().ok()).isTrue();
      }
    }
    for (int i = 0; i < 20; i++) {
      assertThat(host.run("k" + i, "mine").returnValue()).contains("'k" + i + "'");
    }
  }
}
