package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.model.Problem;
import husk.spi.CommandEnd.Reason;
import husk.spi.Limits;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import husk.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Memory: whoever takes too much ends for it, and the sandbox can be used afterwards.
final class MemoryLimitsTest extends Exhaustion {
  private static final String HOG =
      "import time; kept = []\nwhile True: kept.append(bytearray(b'x' * 1000000))";

  @Test
  void commandThatTakesTooMuchMemoryEndsForThat() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    needCgroup(sandbox, "memory");
    var ran = Ran.in(sandbox, "python3", "-c", HOG);
    assertThat(ran.end().reason()).isEqualTo(Reason.OUT_OF_MEMORY);
    assertThat(ran.end().signal()).contains(9);
    assertThat(sandbox.memoryKills()).isPositive();
    assertUsable(sandbox);
  }

  @Test
  void commandWhoseChildTookTooMuchEndsForThatToo() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    needCgroup(sandbox, "memory");
    var script = "python3 -c \"$0\"; exit $?";
    var ran = Ran.in(sandbox, "/bin/sh", "-c", script, HOG);
    assertThat(ran.end().reason()).isEqualTo(Reason.OUT_OF_MEMORY);
    assertThat(ran.code()).isEqualTo(137);
    assertUsable(sandbox);
  }

  @Test
  void laterCommandsAreNotBlamedForIt() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    needCgroup(sandbox, "memory");
    Ran.in(sandbox, "python3", "-c", HOG);
    assertThat(Ran.script(sandbox, "exit 3").end().reason()).isEqualTo(Reason.EXITED);
    assertThat(Ran.script(sandbox, "kill -9 $$").end().reason()).isEqualTo(Reason.SIGNALLED);
  }

  @Test
  void memoryThatBelongsToNobodyIsFreedWithItsHolder() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    needCgroup(sandbox, "memory");
    var ran =
        Ran.in(
            sandbox,
            "python3",
            "-c",
            "import os; f = os.memfd_create('x')\nwhile True: os.write(f, b'x' * 1000000)");
    assertThat(ran.end().reason()).isEqualTo(Reason.OUT_OF_MEMORY);
    assertUsable(sandbox);
  }

  @Test
  void foldersThatAreMemoryLeaveSomeOfItWhereverTheyAreFilled() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    for (var file : List.of("/everything", "/tmp/f", "/run/f", "/var/tmp/f", "/dev/shm/f")) {
      var fill = "f = open('" + file + "', 'wb')\nwhile True: f.write(b'x' * 1000000)";
      var ran = Ran.in(sandbox, "python3", "-c", fill);
      assertThat(ran.err()).as(file).contains("No space left on device");
    }
    assertUsable(sandbox);
  }

  /// What stays after its maker takes room for good, unless the sandbox ends: either it still
  /// answers, or it is seen to be dead; nobody waits for ever.
  @Test
  void memoryThatOutlivesItsMakerHangsNobody() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    needCgroup(sandbox, "memory");
    var fill =
        """
        import ctypes
        c = ctypes.CDLL(None)
        c.shmat.restype = ctypes.c_void_p
        ctypes.memset(ctypes.c_void_p(c.shmat(c.shmget(7, 100 << 20, 0o1600), None, 0)), 1, 100 << 20)
        """;
    var ran = Ran.in(sandbox, "python3", "-c", fill);
    assertThat(ran.end().reason()).isIn(Reason.OUT_OF_MEMORY, Reason.SANDBOX_ENDED);
    try {
      assertUsable(sandbox);
    } catch (IOException | Problem told) {
      Eventually.until(PATIENCE, () -> !sandbox.alive(), () -> "neither usable nor dead: " + told);
    }
    sandbox.end();
  }

  /// No machine of a test need have swap; what the kernel was told is the same everywhere.
  @Test
  void swapIsNoWayAroundTheMemory() throws IOException {
    var place = walls.place();
    var spec = SandboxSpec.of("bubblewrap", Profile.MODERATE);
    needCgroup(walls.start(spec, place), "memory");
    var told = new ArrayList<String>();
    for (var line : Files.readAllLines(place.sockets().resolve("cgroups"))) {
      for (var file : List.of("memory.memsw.limit_in_bytes", "memory.swap.max")) {
        var path = Path.of(line.substring(line.lastIndexOf('\t') + 1)).resolve(file);
        if (Files.exists(path)) {
          told.add(Files.readString(path).strip());
        }
      }
    }
    assertThat(told).isSubsetOf(Long.toString(spec.limits().memoryMb() << 20), "0");
  }

  @Test
  void withoutACgroupEachProcessIsHeldToTheMemory() throws IOException {
    var sandbox = walled(Place.UNPRIVILEGED);
    assertThat(sandbox.enforcement().by().get("memory")).startsWith("rlimit");
    var ran = Ran.in(sandbox, "python3", "-c", HOG);
    assertThat(ran.err()).contains("MemoryError");
    assertUsable(sandbox);
  }
}
