package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.CommandEnd.Reason;
import husk.spi.Limits;
import husk.spi.Mount;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files: too large, too many, or too much of them.
final class DiskLimitsTest extends Exhaustion {
  @ParameterizedTest
  @ValueSource(strings = {"/tmp", "/dev/shm", "/var/tmp", "/run"})
  void foldersOfMemoryAreFullBeforeTheMemoryIs(String folder) throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    var ran = Ran.script(sandbox, "head -c 100000000 /dev/zero >" + folder + "/x");
    assertThat(ran.err()).contains("No space left on device");
    assertThat(ran.end().reason()).isEqualTo(Reason.EXITED);
    assertUsable(sandbox);
  }

  @Test
  void allFoldersOfMemoryTogetherLeaveRoomToWork() throws IOException {
    var sandbox = limited(Limits.NONE.withMemoryMb(64));
    Ran.script(
        sandbox,
        "for d in /tmp /dev/shm /var/tmp /run; do head -c 100000000 /dev/zero >$d/x; done");
    assertUsable(sandbox);
  }

  @Test
  void fileThatGrowsTooLargeIsCutOff() throws IOException {
    var sandbox = limited(Limits.NONE.withFileSizeMb(1));
    var ran = Ran.script(sandbox, "head -c 5000000 /dev/zero >big; stat -c %s big");
    assertThat(ran.said()).isEqualTo("1048576");
    assertUsable(sandbox);
  }

  @Test
  void filesCannotBeOpenedWithoutEnd() throws IOException {
    var sandbox = limited(Limits.NONE.withOpenFiles(50));
    var script =
        "f = []\ntry:\n while True: f.append(open('/'.join(['', 'dev', 'null'])))\n"
            + "except OSError as e: print(e.errno, len(f))";
    assertThat(Ran.in(sandbox, "python3", "-c", script).said()).isEqualTo("24 47");
  }

  @Test
  void workspaceThatIsFilledEndsWhoFillsIt() throws IOException {
    var sandbox = limited(Limits.NONE.withWorkspaceMb(5));
    var fill =
        "i=0; while :; do i=$((i+1)); dd if=/dev/zero of=f$i bs=1M count=1 2>/dev/null; done";
    assertThat(Ran.script(sandbox, fill).end().reason()).isEqualTo(Reason.DISK_LIMIT);
    assertThat(Ran.script(sandbox, "rm -f f*; echo usable").said()).isEqualTo("usable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while :; do i=$((i+1)); head -c 1000000 /dev/zero >~/f$i; done",
        "mkdir d; while :; do i=$((i+1)); mkdir d/$i; : >d/$i/e; : >d/$i/f; done"
      })
  void neitherTheHomeNorEmptyFilesAreAWayAroundIt(String fill) throws IOException {
    var sandbox = limited(Limits.NONE.withWorkspaceMb(5));
    assertThat(Ran.script(sandbox, fill).end().reason()).isEqualTo(Reason.DISK_LIMIT);
    assertThat(Ran.script(sandbox, "rm -rf d ~/f*; echo usable").said()).isEqualTo("usable");
  }

  @Test
  void largeFolderOfTheHostIsNotHeldAgainstTheSandbox() throws IOException {
    try (var home = TempHome.create()) {
      Files.write(home.resolve("large"), new byte[6 << 20]);
      var spec =
          SandboxSpec.of("bubblewrap", Profile.MODERATE)
              .withLimits(Limits.NONE.withWorkspaceMb(5))
              .withMounts(List.of(new Mount(home.path(), Path.of("/workspace"), true)));
      var ran = Ran.script(walls.start(spec), "sleep 1; echo mine >new; ls");
      assertThat(ran.said()).isEqualTo("large\nnew");
    }
  }
}
