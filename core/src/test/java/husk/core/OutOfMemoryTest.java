package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Death;
import husk.model.ResultStatus;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Files.writeString(
        group.orElseThrow().resolve("cgroup.procs"),
        Long.toString(kernel.process().orElseThrow().pid()));
    var died = host.run("k", "print('eating', flush=True)\nx = b'x' * 2_000_000_000");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.output()).isEqualTo("eating\n");
    assertThat(died.death().orElseThrow().cause()).isEqualTo(Death.Cause.OUT_OF_MEMORY);
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
