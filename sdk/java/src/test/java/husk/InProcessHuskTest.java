package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InProcessHuskTest extends HuskContract {
  @Override
  Husk open(HuskOptions chosen) {
    return Husk.inProcess(chosen);
  }

  @Override
  void end(HuskOptions chosen) {
    // What a Husk in this process holds ends with it.
  }

  /// The guest's code is in the sources as it is in an installation.
  @Override
  Path dist() {
    return Path.of(System.getProperty("husk.root", "../.."));
  }

  @Test
  void noDaemonIsStarted() {
    assertThat(home.resolve("run/daemon.sock")).doesNotExist();
    assertThat(home.resolve("run/daemon.log")).doesNotExist();
  }

  @Test
  void kernelsOfARegistryInMemoryEndWithTheirHusk() throws IOException {
    try (var other = TempHome.create()) {
      long pid;
      try (var brief = open(in(other).with("HUSK_STORE_BACKEND", "memory"))) {
        pid = brief.getOrCreate("demo").process().orElseThrow().pid();
      }
      // Its parent may need a moment to notice.
      Eventually.until(
          Duration.ofSeconds(30),
          () -> ProcessHandle.of(pid).isEmpty(),
          () -> "process " + pid + " is still there");
    }
  }

  @Test
  void missingInstallationIsReportedBeforeAnythingIsMade() throws IOException {
    try (var other = TempHome.create()) {
      var nowhere = in(other).with("HUSK_DIST", other.resolve("nothing").toString());

      assertProblem(Problem.Code.TOOL_MISSING, () -> open(nowhere));
      assertThat(other.resolve("run")).doesNotExist();
    }
  }
}
