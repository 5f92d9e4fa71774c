package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TempHome;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class CompletionsTest {
  private TempHome temp;

  @BeforeEach
  void makeFolder() throws IOException {
    temp = TempHome.create();
  }

  @AfterEach
  void removeFolder() throws IOException {
    temp.close();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(temp.resolve(name), text);
  }

  private String run(String... words) throws Exception {
    var builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().merge("PATH", temp.path() + ":", (path, own) -> own + path);
    var process = builder.start();
    process.getOutputStream().close();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  private static void need(String shell) {
    var folders = System.getenv("PATH").split(":", -1);
    Requirements.need(
        Arrays.stream(folders).anyMatch(folder -> new File(folder, shell).canExecute()), shell);
  }

  /// A husk that knows two kernels and a sandbox.
  private void makeHusk() throws IOException {
    var husk =
        write(
            "husk",
            "#!/bin/sh\n"
                + "case \"$*\" in 'list --names') printf 'one\\n"
                + "two b\\n"
                + "' ;; 'sandbox list --names') echo one ;; esac\n");
    Files.setPosixFilePermissions(husk, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// What bash offers after the given words.
  private String[] offered(String... words) throws Exception {
    makeHusk();
    var array = new StringBuilder("husk");
    for (String word : words) {
      array.append(" '").append(word).append('\'');
    }
    var script = write("husk.bash", BashCompletion.script());
    var attempt =
        "source "
            + script
            + "\nCOMP_WORDS=("
            + array
            + ")\nCOMP_CWORD="
            + words.length
            + "\n_husk\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return run("bash", "--norc", write("try", attempt).toString()).strip().split("\n", -1);
  }

  @Test
  void bashCompletesCommandsOptionsValuesAndKernels() throws Exception {
    assertThat(offered("de")).containsExactly("destroy");
    assertThat(offered("python", "")).contains("list", "add", "remove");
    assertThat(offered("python", "add", "--pre")).containsExactly("--preload");
    assertThat(offered("exec", "--out")).containsExactly("--output-limit");
    assertThat(offered("exec", "--language", "")).containsExactly("python", "bash");
    assertThat(offered("exec", "--name", "")).containsExactly("one", "two\\ b");
    assertThat(offered("exec", "--name", "o")).containsExactly("one");
    assertThat(offered("sb", "cre")).containsExactly("create");
    assertThat(offered("sandbox", "create", "--prof")).containsExactly("--profile");
    assertThat(offered("sandbox", "create", "--profile", "r")).containsExactly("restrictive");
    assertThat(offered("sandbox", "stop", "o")).containsExactly("one");
    assertThat(offered("attach", "o")).containsExactly("one");
    assertThat(offered("completions", "z")).containsExactly("zsh");
    assertThat(offered("exec", "--timeout", "")).containsExactly("");
  }

  @Test
  void theBashScriptParses() throws Exception {
    run("bash", "-n", write("husk.bash", BashCompletion.script()).toString());
  }

  @Test
  void theZshScriptParses() throws Exception {
    need("zsh");
    run("zsh", "-n", write("_husk", ZshCompletion.script()).toString());
  }

  @Test
  void theFishScriptParses() throws Exception {
    need("fish");
    run("fish", "--no-execute", write("husk.fish", FishCompletion.script()).toString());
  }

  /// What fish itself offers for a line that is being written.
  private String[] offeredByFish(String line) throws Exception {
    makeHusk();
    var script = write("husk.fish", FishCompletion.script());
    var attempt =
        "source " + script + "; complete -C '" + line + "' | string replace -r '\\t.*' ''; true";
    return run("fish", "--no-config", "-c", attempt).strip().split("\n", -1);
  }

  @Test
  void fishCompletesCommandsOptionsValuesAndNames() throws Exception {
    need("fish");
    assertThat(offeredByFish("husk de")).containsExactly("destroy");
    assertThat(offeredByFish("husk exec --out")).containsExactly("--output-limit");
    assertThat(offeredByFish("husk exec --language ")).containsExactly("bash", "python");
    assertThat(offeredByFish("husk exec --name o")).containsExactly("one");
    assertThat(offeredByFish("husk status o")).containsExactly("one");
    assertThat(offeredByFish("husk sandbox stop o")).containsExactly("one");
    assertThat(offeredByFish("husk completions z")).containsExactly("zsh");
  }

  @Test
  void everyShellKnowsEveryCommandAndOption() {
    for (String script :
        new String[] {BashCompletion.script(), ZshCompletion.script(), FishCompletion.script()}) {
      for (String word : Commands.firstWords()) {
        assertThat(script).contains(word);
      }
      assertThat(script).contains("startup-code", "husk list --names");
    }
  }
}
