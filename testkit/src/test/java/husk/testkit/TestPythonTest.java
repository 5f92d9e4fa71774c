package husk.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
class TestPythonTest {
  @Test
  void firstThatHasWhatKernelsNeedIsTaken() throws IOException {
    try (var home = TempHome.create()) {
      var broken = script(home.resolve("broken"), "exit 1");
      var good = script(home.resolve("good"), "test \"$2\" = 'import IPython, zmq'");
      var spare = script(home.resolve("spare"), "exit 0");

      assertThat(TestPython.first(List.of(home.resolve("missing"), broken, good, spare)))
          .contains(good);
      assertThat(TestPython.first(List.of(home.resolve("missing"), broken))).isEmpty();
    }
  }

  @Test
  void theOneOnThisMachineRunsIPython() throws Exception {
    var process =
        new ProcessBuilder(
                TestPython.find().toString(), "-c", "import IPython, zmq; print('It works')")
            .start();

    assertThat(process.inputReader().readLine()).isEqualTo("It works");
    assertThat(process.waitFor()).isZero();
  }

  private static Path script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
