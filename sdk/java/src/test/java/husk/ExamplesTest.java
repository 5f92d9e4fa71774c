package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.examples.Bash;
import husk.examples.Demo;
import husk.examples.SelfHealing;
import husk.examples.Streaming;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The examples print what their comments say.
class ExamplesTest extends HuskFixture {
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

  private static String printed(Consumer<PrintStream> example) {
    var bytes = new ByteArrayOutputStream();
    example.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void demoPrintsWhatItSays() {
    assertThat(printed(out -> Demo.run(() -> open(options), out))).isEqualTo("SUCCESS\n6\n10\n");
  }

  @Test
  void selfHealingPrintsWhatItSays() {
    assertThat(printed(out -> SelfHealing.run(husk, out)))
        .isEqualTo("attempt 1 failed: name 'x' is not defined\nSUCCESS\n42\n2\n");
  }

  @Test
  void streamingPrintsWhatItSays() {
    assertThat(printed(out -> Streaming.run(husk, out)))
        .isEqualTo("step 0\nstep 1\nstep 2\nSUCCESS\n");
  }

  @Test
  void bashPrintsWhatItSays() {
    assertThat(printed(out -> Bash.run(husk, out))).isEqualTo("hello\n3\n");
  }
}
