package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.model.Problem;
import husk.spi.CommandEnd.Reason;
import husk.spi.CommandSpec;
import husk.spi.Limits;
import husk.spi.Sandbox;
import husk.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes and their time: bombs are contained, and the sandbox answers meanwhile.
final class ProcessLimitsTest extends Exhaustion {
  @Test
  void forkBombOfPythonEndsForTheNumberOfProcesses() throws IOException {
    var sandbox = limited(Limits.NONE.withProcesses(40));
    needCgroup(sandbox, "processes");
    var bomb = "import os\nwhile True: os.fork()";
    var ran = Ran.in(sandbox, "python3", "-c", bomb);
    assertThat(ran.end().reason()).isEqualTo(Reason.PROCESS_LIMIT);
    Eventually.until(PATIENCE, () -> processes(sandbox) < 10, () -> "still " + processes(sandbox));
    assertUsable(sandbox);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void forkBombOfTheShellIsContainedAndEndsWithItsSandbox(boolean cgroup) throws IOException {
    var sandbox = cgroup ? limited(Limits.NONE.withProcesses(60)) : walled(Place.UNPRIVILEGED);
    var spec = CommandSpec.of("bash", "-c", ":(){ :|:& };:; sleep 1").within(10_000);
    try (var bomb = sandbox.run(spec)) {
      assertThat(sandbox.usage().processes()).isLessThanOrEqualTo(1030);
      Ran.toTheEnd(bomb);
    }
    assertThat(sandbox.alive()).isTrue();
    sandbox.end();
    assertThat(sandbox.alive()).isFalse();
  }

  @Test
  void sandboxAtItsLimitSaysSoAndItsCommandsCanBeKilled() throws IOException {
    var sandbox = limited(Limits.NONE.withProcesses(30));
    needCgroup(sandbox, "processes");
    var full =
        """
        import os, time
        while True:
            try:
                if os.fork() == 0: time.sleep(1000)
            except OSError: time.sleep(0.01)
        """;
    try (var _ = sandbox.run(CommandSpec.of("python3", "-c", full).named("full"))) {
      Eventually.until(PATIENCE, () -> refuses(sandbox), () -> "" + processes(sandbox));
      sandbox.kill("full", 9);
      Eventually.until(PATIENCE, () -> processes(sandbox) < 5, () -> "" + processes(sandbox));
      assertUsable(sandbox);
    }
  }

  private static boolean refuses(Sandbox sandbox) {
    try {
      Ran.in(sandbox, "true");
      return false;
    } catch (Problem _) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Timers and waiting signals, message queues, memory that stays: a user has so much in all.
  @Test
  void whatIsCountedForTheUserOfTheDaemonIsThereInSmallNumbers() throws IOException {
    var ran =
        Ran.in(limited(Limits.NONE), "bash", "-c", "echo $(ulimit -Hi; ulimit -Hq; ulimit -Hl)");
    var most = new long[] {1024, 200 << 10, 8 << 10};
    var found = ran.said().split(" ");
    for (int i = 0; i < most.length; i++) {
      assertThat(Long.parseLong(found[i])).isLessThanOrEqualTo(most[i]);
    }
  }

  @Test
  void processorIsSharedOut() throws IOException {
    var sandbox = limited(Limits.NONE.withCpuPercent(25));
    needCgroup(sandbox, "cpu");
    var burn =
        "import time; end = time.monotonic() + 2\nwhile time.monotonic() < end: pass\n"
            + "print(time.process_time())";
    var used = Double.parseDouble(Ran.in(sandbox, "python3", "-c", burn).said());
    assertThat(used).as("seconds of processor time in two").isBetween(0.01, 1.2);
  }

  @Test
  void commandThatWillNotEndIsEndedInTime() throws IOException {
    var sandbox = limited(Limits.NONE);
    var stubborn = "trap '' TERM INT HUP; while :; do :; done";
    var ran = Ran.in(sandbox, CommandSpec.of("/bin/sh", "-c", stubborn).within(300));
    assertThat(ran.end().reason()).isEqualTo(Reason.TIMEOUT);
    assertUsable(sandbox);
  }
}
