package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;

import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What ends with whoever keeps it, also when that is killed.
@ExtendWith(LeakDetector.class)
final class LifelineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process held = sleeper();
  private final Process released = sleeper();
  private final Process younger = sleeper();

  @AfterEach
  void end() {
    for (var process : new Process[] {held, released, younger}) {
      process.destroyForcibly().onExit().join();
    }
  }

  private static Process sleeper() {
    try {
      return new ProcessBuilder("sleep", "600").start();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static SandboxRow row(Process process, long startTime) {
    var now = Instant.now();
    return new SandboxRow(
        "0".repeat(32),
        Optional.empty(),
        Status.READY,
        process.pid(),
        startTime,
        now,
        now,
        0,
        Optional.empty(),
        "{}",
        Map.of(),
        Optional.empty());
  }

  private static SandboxRow row(Process process) {
    return row(process, Self.startTime(process.pid()));
  }

  @Test
  void whatIsHeldWhenTheLineBreaksIsKilledAndNothingElse() {
    var lifeline = new Lifeline();
    lifeline.hold(row(released));
    lifeline.hold(row(held));
    lifeline.hold(row(younger, 1));
    lifeline.release(row(released));
    lifeline.release(row(released));
    lifeline.snap();
    Eventually.until(PATIENCE, () -> !held.isAlive(), () -> "it lives");
    assertThat(held.onExit().join().exitValue()).isEqualTo(128 + 9);
    assertThat(released.isAlive()).isTrue();
    assertThat(younger.isAlive()).isTrue();
  }

  @Test
  void whoeverLeavesInOrderKillsNobody() {
    var lifeline = new Lifeline();
    lifeline.hold(row(held));
    lifeline.close();
    assertThat(held.isAlive()).isTrue();
  }
}
