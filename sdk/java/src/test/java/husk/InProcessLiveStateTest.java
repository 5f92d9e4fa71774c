package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.examples.FiveFixes;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Live state without a daemon.
class InProcessLiveStateTest extends LiveStateContract {
  @Override
  Husk open(HuskOptions chosen) {
    return Husk.inProcess(chosen);
  }

  @Override
  void end(HuskOptions chosen) {}

  @Override
  Path dist() {
    return Path.of(System.getProperty("husk.root", "../.."));
  }

  @Test
  void theExamplePrintsWhatItSays() {
    var bytes = new ByteArrayOutputStream();
    FiveFixes.run(husk, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("2\nValueError\n12\n");
  }
}
