package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.kernels.ProcFs;
import husk.model.Death;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.StandingProcess;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What must never happen here, though it happens in KernelBox; each test is named after it.
@ExtendWith(LeakDetector.class)
final class KernelBoxDefectsTest {
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
  void k1TimeoutInterruptsTheCellKeepsItsOutputAndLeavesTheKernelUsable() {
    host.run("k", "kept = 41");
    var late =
        host.run(
            "k",
            "import time\nprint('before', flush=True)\ntime.sleep(600)",
            Duration.ofMillis(500));
    assertThat(late.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(late.output()).isEqualTo("before\n");
    assertThat(late.error().orElseThrow().ename()).isEqualTo("TimeoutError");
    assertThat(host.run("k", "kept + 1").returnValue()).contains("42");
  }

  @Test
  void k1CodeThatIgnoresTheInterruptIsKilledAndReportedAsDied() {
    host.variables.put("HUSK_INTERRUPT_GRACE", "0.3");
    var stubborn =
        host.run(
            "k",
            """
            import time
            print('stubborn', flush=True)
            while True:
                try:
                    time.sleep(600)
                except KeyboardInterrupt:
                    pass
            """,
            Duration.ofMillis(500));
    assertThat(stubborn.status()).isEqualTo(ResultStatus.DIED);
    assertThat(stubborn.output()).isEqualTo("stubborn\n");
    assertThat(stubborn.death().orElseThrow().cause()).isEqualTo(Death.Cause.KILLED_AFTER_TIMEOUT);
  }

  @Test
  void k2BusyKernelIsNeitherDeadNorReplaced() throws Exception {
    var kernel = host.kernel("k");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var busy = threads.submit(() -> host.run("k", "import time\ntime.sleep(3)\nx = 1"));
      awaitStatus("k", KernelStatus.BUSY);
      var seen = host.kernel("k");
      assertThat(seen.kernelId()).isEqualTo(kernel.kernelId());
      assertThat(seen.process()).isEqualTo(kernel.process());
      assertThat(host.core.responds(seen)).isTrue();
      assertThat(busy.get().ok()).isTrue();
    }
    assertThat(host.run("k", "x").returnValue()).contains("1");
  }

  @Test
  void k3ManyCallersOfOneNewNameGetOneKernel() throws Exception {
    StandingProcess.takeBack(host.places.sockets()); // they start one warm parent, too
    var ids = new HashSet<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var other = host.another()) {
      var calls = new ArrayList<Future<KernelRecord>>();
      for (int i = 0; i < 40; i++) {
        var core = i % 2 == 0 ? host.core : other;
        calls.add(threads.submit(() -> core.getOrCreate("one", host.options(), host.caller())));
      }
      for (var call : calls) {
        ids.add(call.get().kernelId());
      }
    }
    assertThat(ids).hasSize(1);
    assertThat(host.core.list()).hasSize(1);
  }

  @Test
  void k4KernelMadeByAnotherProcessIsSeenAndNotForgotten() {
    host.run("mine", "1");
    try (var other = host.another()) {
      other.getOrCreate("theirs", host.options(), host.caller());
    }
    host.run("mine", "2");
    assertThat(host.core.list())
        .extracting(r -> r.name().orElseThrow())
        .containsExactly("mine", "theirs");
    assertThat(host.run("theirs", "'here'").returnValue()).contains("'here'");
  }

  @Test
  void k5DestroyFromAnotherProcessReturnsWhenEverythingTheKernelStartedIsGone() {
    var kernel = host.kernel("k");
    var child =
        Long.parseLong(
            host.run(
                    "k",
                    "import subprocess\np = subprocess.Popen(['sleep', '1000'],"
                        + " start_new_session=True)\np.pid")
                .returnValue()
                .orElseThrow());
    try (var other = host.another()) {
      assertThat(other.destroy("k")).isTrue();
    }
    assertThat(ProcFs.alive(kernel.process().orElseThrow())).isFalse();
    assertThat(ProcFs.stat(child).filter(s -> s.state() != 'Z')).isEmpty();
    assertThat(host.core.destroy("k")).isFalse();
  }

  @Test
  void k6NoConnectionFileKeyOrSocketOutlivesItsKernel() throws Exception {
    var kernel = host.kernel("k");
    assertThat(Files.getPosixFilePermissions(kernel.connectionFile())).hasSize(2);
    host.core.destroy("k");
    try (var left = Files.walk(host.places.runtime())) {
      assertThat(left.map(Object::toString)).noneMatch(path -> path.contains(kernel.kernelId()));
    }
  }

  @Test
  void k7ExecutingOnADestroyedKernelIsRefusedAtOnceAndDoesNotBringItsRowBack() {
    var kernel = host.kernel("k");
    host.core.destroy("k");
    assertThatThrownBy(
            () ->
                host.core.execute(
                    kernel.kernelId(),
                    ExecuteRequest.of("1"),
                    Optional.empty(),
                    host.caller(),
                    ExecutionEvent.Listener.NONE))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.KERNEL_NOT_FOUND));
    assertThat(host.core.list()).isEmpty();
  }

  @Test
  void k8DeathMidCellIsReportedWithItsCauseAndTheNextCallSaysThatStateWasLost() {
    host.run("k", "x = 1");
    var died = host.run("k", "import os\nprint('last words', flush=True)\nos._exit(7)");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.output()).isEqualTo("last words\n");
    assertThat(died.death().orElseThrow().exitCode()).contains(7);
    assertThat(host.core.require("k").status()).isEqualTo(KernelStatus.DEAD);
    var next = host.run("k", "'x' in globals()");
    assertThat(next.stateLost()).isTrue();
    assertThat(next.returnValue()).contains("False");
    assertThat(host.run("k", "1").stateLost()).isFalse();
  }

  @Test
  void k8DeathBySignalNamesTheSignal() {
    var died = host.run("k", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.death().orElseThrow().detail()).contains("SIGSEGV");
    assertThat(died.error().orElseThrow().traceback().toString()).contains("Fatal Python error");
  }

  @Test
  void k9InputIsAnsweredAtOnceWithAClearError() {
    var asked = host.run("k", "input('name? ')");
    assertThat(asked.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(asked.error().orElseThrow().ename()).isEqualTo("StdinNotImplementedError");
    assertThat(host.run("k", "1").ok()).isTrue();
  }

  @Test
  void k10AttemptsAreCountedTruly() {
    host.kernel("k");
    var result =
        Retry.run(
            ExecuteRequest.of("1/0"),
            6,
            request -> host.run("k", request),
            (_, _) -> Optional.empty());
    assertThat(result.status()).isEqualTo(ResultStatus.MAX_ATTEMPTS_EXCEEDED);
    assertThat(result.attempts()).hasSize(6);
    assertThat(host.core.require("k").attemptCount()).isEqualTo(6);
  }

  @Test
  void k10IdleKernelIsReapedAndABusyOneIsNot() throws Exception {
    host.variables.put("KERNELBOX_KERNEL_IDLE_TIMEOUT", "1");
    host.kernel("idle");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var busy = threads.submit(() -> host.run("busy", "import time\ntime.sleep(4)\n'done'"));
      Eventually.until(PATIENCE, () -> host.core.find("idle").isEmpty(), () -> "still there");
      assertThat(busy.get().returnValue()).contains("'done'");
    }
  }

  @Test
  void k11EveryFieldOfTheResultIsBoundedAndSaysSo() {
    host.variables.put("HUSK_OUTPUT_CHAR_LIMIT", "1000");
    var result =
        host.run(
            "k",
            """
            import sys
            from IPython.display import display
            print('o' * 5_000_000)
            print('e' * 5_000_000, file=sys.stderr)
            display({'text/plain': 'd' * 5_000_000, 'text/html': 'h' * 20_000_000}, raw=True)
            'r' * 5_000_000
            """);
    assertThat(result.ok()).isTrue();
    assertThat(result.output()).hasSize(1000).endsWith("...[truncated by husk]...");
    assertThat(result.stderr()).hasSize(1000);
    assertThat(result.returnValue().orElseThrow()).hasSize(1000);
    assertThat(result.truncated()).isTrue();
    assertThat(result.truncatedFields())
        .containsExactly("output", "outputs", "return_value", "stderr");
    assertThat(result.outputs())
        .allSatisfy(item -> assertThat(item.text().orElse("")).hasSizeLessThanOrEqualTo(1000));
  }

  @Test
  void k11TracebackIsBoundedToo() {
    host.variables.put("HUSK_OUTPUT_CHAR_LIMIT", "1000");
    var result = host.run("k", "raise ValueError('v' * 5_000_000)");
    assertThat(result.error().orElseThrow().evalue()).hasSizeLessThanOrEqualTo(1000);
    assertThat(String.join("", result.error().orElseThrow().traceback())).hasSizeLessThan(1100);
    assertThat(result.truncatedFields()).contains("error", "traceback");
  }

  @Test
  void k11ValuesTooLargeToHoldAreDroppedAndFlaggedAndTheKernelGoesOn() {
    var value = host.run("k", "'r' * 200_000_000");
    assertThat(value.status()).isEqualTo(ResultStatus.SUCCESS);
    assertThat(value.truncatedFields()).containsExactly("return_value");
    var error = host.run("k", "raise ValueError('v' * 40_000_000)");
    assertThat(error.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(error.error().orElseThrow().ename()).isEqualTo("OversizedError");
    assertThat(host.run("k", "1").ok()).isTrue();
  }

  @Test
  void k16WaitingForOnesTurnDoesNotUseUpOnesTime() throws Exception {
    host.kernel("k");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<ExecutionResult>>();
      for (int i = 0; i < 4; i++) {
        calls.add(
            threads.submit(
                () -> host.run("k", "import time\ntime.sleep(1)", Duration.ofMillis(2500))));
      }
      for (var call : calls) {
        assertThat(call.get().status()).isEqualTo(ResultStatus.SUCCESS);
      }
    }
  }

  @Test
  void tracebacksHaveNoColourCodes() {
    var error = host.run("k", "def f():\n    return 1/0\nf()").error().orElseThrow();
    assertThat(error.ename()).isEqualTo("ZeroDivisionError");
    assertThat(String.join("\n", error.traceback()))
        .contains("ZeroDivisionError")
        .doesNotContain("\u001b");
  }

  @Test
  void startupCodeRunsAgainAfterARestartWhichIsANewProcess() {
    host.variables.put("KERNELBOX_STARTUP_CODE", "ready = 'yes'");
    var kernel = host.kernel("k");
    host.run("k", "x = 1");
    var restarted = host.core.restart("k");
    assertThat(restarted.kernelId()).isEqualTo(kernel.kernelId());
    assertThat(restarted.process()).isNotEqualTo(kernel.process());
    assertThat(host.run("k", "ready, 'x' in globals()").returnValue()).contains("('yes', False)");
    assertThat(host.run("k", "1").executionCount()).contains(2);
  }

  @Test
  void startupCodeThatFailsIsReported() {
    host.variables.put("HUSK_STARTUP_CODE", "1/0");
    assertThat(host.kernel("k").startupError()).contains("ZeroDivisionError: division by zero");
  }

  @Test
  void secretsOfTheHostAreNotInherited() {
    var names = host.run("k", "import os\nsorted(os.environ)").returnValue().orElseThrow();
    assertThat(names).contains("PATH").doesNotContain("PIP_").doesNotContain("SSL_CERT_FILE");
    assertThat(host.core.require("k").environment()).contains("PATH", "HUSK_KERNEL_ID");
  }

  private void awaitStatus(String name, KernelStatus status) {
    Eventually.until(
        PATIENCE,
        () -> host.core.find(name).map(KernelRecord::status).equals(Optional.of(status)),
        () -> "never " + status);
  }
}
