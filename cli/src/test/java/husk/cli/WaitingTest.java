package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WaitingTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path doing;
  private Terminal terminal;

  @BeforeEach
  void open() throws Exception {
    var runtime = Files.createDirectory(folder.resolve("run"));
    doing = runtime.resolve("doing");
    var environment =
        Map.of(
            "HUSK_HOME", folder.resolve("home").toString(), "HUSK_RUNTIME_DIR", runtime.toString());
    terminal =
        new Terminal(
            new ByteArrayInputStream(new byte[0]),
            new ByteArrayOutputStream(),
            err,
            environment,
            folder.toString());
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachStepIsSaidOnceUntilTheCommandSpeaksItself() throws Exception {
    Files.writeString(doing, "making it\n");
    Waiting.begin(terminal, false);
    awaitSaid("husk: making it\n");
    Files.writeString(doing, "finishing \u001b[2Jit\n");
    awaitSaid("husk: finishing ");
    assertThat(said()).as("text of others").doesNotContain("\u001b");
    terminal.print("the answer\n");
    var before = said();
    Files.writeString(doing, "something else\n");
    Thread.sleep(800);
    assertThat(said()).isEqualTo(before);
  }

  private void awaitSaid(String text) {
    Eventually.until(Duration.ofSeconds(30), () -> said().contains(text), this::said);
  }

  @Test
  void whoWantsQuietHearsNothing() throws Exception {
    Files.writeString(doing, "making it\n");
    Waiting.begin(terminal, true);
    Thread.sleep(1800);
    assertThat(said()).isEmpty();
  }

  @Test
  void whereNothingTakesLongNothingIsSaid() throws Exception {
    Waiting.begin(terminal, false);
    Thread.sleep(1800);
    assertThat(said()).isEmpty();
    terminal.print("the answer\n");
  }
}
