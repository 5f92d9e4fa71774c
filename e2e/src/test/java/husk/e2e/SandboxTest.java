package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What tests of sandboxes share: the built product with bubblewrap, and nothing left afterwards.
@ExtendWith(LeakDetector.class)
@Timeout(300)
abstract class SandboxTest {
  HuskCommand husk;

  @BeforeEach
  void open() {
    var path = System.getenv().getOrDefault("PATH", "/usr/bin").split(":");
    Requirements.need(
        Arrays.stream(path).anyMatch(folder -> Files.isExecutable(Path.of(folder, "bwrap"))),
        "bubblewrap");
    Requirements.need(
        Files.isExecutable(HuskCommand.dist().resolve("guest/agent/husk-agent")),
        "the guest agent (a C compiler when Husk was built)");
    husk = new HuskCommand();
    husk.environment.put(LeakDetector.VARIABLE, LeakDetector.marker());
  }

  @AfterEach
  void close() {
    if (husk != null) {
      husk.run("sandbox", "clean", "--force");
      husk.close();
    }
  }

  Path work(String name) {
    return husk.home.resolve("work").resolve(name);
  }

  void write(String name, String text) {
    try {
      Files.writeString(work(name), text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// Runs it, expects it to succeed, and gives what it printed.
  String out(String... words) {
    var outcome = husk.run(words);
    assertThat(outcome.exit()).as(String.join(" ", words) + "\n" + outcome.err()).isZero();
    return outcome.out();
  }

  void create(String name, String... options) {
    var words = new String[options.length + 3];
    words[0] = "sandbox";
    words[1] = "create";
    words[2] = name;
    System.arraycopy(options, 0, words, 3, options.length);
    out(words);
  }

  static void signal(String name, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }
}
