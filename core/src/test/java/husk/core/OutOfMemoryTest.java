package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Death;
import husk.model.ResultStatus;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The system's own killer, let loose in a control group made for the test.
@ExtendWith(LeakDetector.class)
final class OutOfMemoryTest {
  private CoreHost host;
  private Optional<Path> group = Optional.empty();

  @BeforeEach
  void open() {
    host = new CoreHost();
  }

  @AfterEach
  void close() throws IOException {
    host.close();
    if (group.isPresent()) {
      Files.deleteIfExists(group.get());
    }
  }

  @Test
  void kernelKilledForWantOfMemorySaysSo() throws IOException {
    group = limitedGroup();
    Requirements.need(group.isPresent(), "a memory control group that this user may make");
    var kernel = host.kernel("k");
    // What a kernel holds is charged to its porter, with which it shares its memory.
    var process = ProcessHandle.of(kernel.process().orElseThrow().pid()).orElseThrow();
    for (var one : List.of(process.parent().orElseThrow(), process)) {
      Files.writeString(group.orElseThrow().resolve("cgroup.procs"), Long.toString(one.pid()));
    }
    var died = host.run("k", "print('eating', flush=True)\nx = b'x' * 2_000_000_000");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.output()).isEqualTo("eating\n");
    assertThat(died.death().orElseThrow().cause()).isEqualTo(Death.Cause.OUT_OF_MEMORY);
  }

  @Test
  void kernelBehindWallsSaysSoToo() {
    housed("k");
    var died = host.run("k", "print('eating', flush=True)\nx = b'x' * 2_000_000_000");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.death().orElseThrow().cause()).isEqualTo(Death.Cause.OUT_OF_MEMORY);
  }

  @Test
  void wantOfMemoryOfAnotherSandboxIsNotTakenForItsOwn() {
    housed("victim");
    housed("eater");
    host.run("victim", "1");
    var eaten = host.run("eater", "x = b'x' * 2_000_000_000");
    assertThat(eaten.death().orElseThrow().cause()).isEqualTo(Death.Cause.OUT_OF_MEMORY);
    ProcessHandle.of(host.core.require("victim").process().orElseThrow().pid())
        .orElseThrow()
        .destroyForcibly();
    Eventually.until(
        Duration.ofSeconds(20),
        () -> host.core.require("victim").death().isPresent(),
        () -> "it does not die");
    assertThat(host.core.require("victim").death().orElseThrow().cause())
        .isEqualTo(Death.Cause.SIGNALLED);
  }

  private void housed(String name) {
    host.variables.put("HUSK_BACKEND", "bubblewrap");
    host.kernel(name);
    var sandbox =
        host.core.sandboxes().list(Map.of()).stream()
            .filter(
                info ->
                    "cgroup v1 cgroup v2"
                        .contains(info.limitsHeldBy().getOrDefault("memory", "none")))
            .findFirst();
    Requirements.need(sandbox.isPresent(), "a memory control group for sandboxes");
  }

  /// 200 MB, in version 1 or version 2 of control groups, whichever is there.
  private static Optional<Path> limitedGroup() {
    var name = "husk-test-" + ProcessHandle.current().pid();
    return tryGroup(Path.of("/sys/fs/cgroup/memory", name), "memory.limit_in_bytes")
        .or(() -> tryGroup(Path.of("/sys/fs/cgroup", name), "memory.max"));
  }

  private static Optional<Path> tryGroup(Path group, String limit) {
    try {
      Files.createDirectory(group);
      Files.writeString(group.resolve(limit), "200000000");
      return Optional.of(group);
    } catch (IOException e) {
      try {
        Files.deleteIfExists(group);
      } catch (IOException ignored) {
        // it was not made
      }
      return Optional.empty();
    }
  }
}
