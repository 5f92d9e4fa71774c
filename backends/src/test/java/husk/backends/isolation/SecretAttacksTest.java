package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on secrets: of the daemon's environment, and of the sandbox's own.
final class SecretAttacksTest extends Battlefield {
  private static final String SECRET = Objects.requireNonNull(System.getenv("HUSK_TEST_SECRET"));

  private static final Attack LOOK_EVERYWHERE =
      Attack.of(
          """
          for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):
              if str(os.getpid()) in path: continue
              try:
                  if args[0] in text(path): return True
              except OSError: pass
          return args[0] in str(os.environ)
          """,
          SECRET);

  @ParameterizedTest
  @EnumSource
  void environmentOfTheDaemonIsNowhere(Place place) throws IOException {
    onlyWithoutWalls(place, LOOK_EVERYWHERE);
  }

  @ParameterizedTest
  @EnumSource
  void variablesAreThoseOfTheSandboxAlone(Place place) throws IOException {
    var names =
        Ran.in(walled(place), "env").out().lines().map(line -> line.split("=", 2)[0]).toList();
    assertThat(names).contains("PATH", "HOME", "HUSK_SANDBOX");
    assertThat(names).doesNotContain("HUSK_TEST_SECRET", "JAVA_HOME", "MAVEN_CMD_LINE_ARGS");
  }

  @Test
  void valuesOfVariablesAreNotInTheListOfProcesses() throws IOException {
    var spec = SandboxSpec.of("bubblewrap", Profile.MODERATE).withEnv(Map.of("KEY", "k3y-value"));
    var sandbox = walls.start(spec);
    assertThat(Ran.script(sandbox, "echo $KEY").said()).isEqualTo("k3y-value");
    assertThat(Ran.script(sandbox, "tr '\\0' ' ' </proc/1/cmdline").out())
        .contains("serve")
        .doesNotContain("k3y-value");
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var process : processes) {
        assertThat(commandLine(process)).doesNotContain("k3y-value");
      }
    }
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(
          process.resolve("cmdline"), java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  @ParameterizedTest
  @EnumSource
  void descriptorsOfTheDaemonAreNotInherited(Place place) throws IOException {
    Attack.of("return [d for d in os.listdir('/proc/self/fd') if int(d) > 3]")
        .isRefusedIn(walled(place));
  }
}
