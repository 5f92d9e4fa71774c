package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// ipybox's configuration of a sandbox.
@ExtendWith(LeakDetector.class)
final class RuntimeConfigTest {
  private static final String NETWORK =
      "\"network\": {\"allowedDomains\": [], \"deniedDomains\": []}";
  private static final String FILES =
      "\"filesystem\": {\"denyRead\": [], \"allowWrite\": [], \"denyWrite\": []}";

  private final TempHome home;

  RuntimeConfigTest() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void close() throws IOException {
    home.close();
  }

  private SandboxRequest applied(String json) throws IOException {
    Files.writeString(home.resolve("rules.json"), json);
    return RuntimeConfig.read(home.resolve("rules.json"), home.path())
        .apply(SandboxRequest.named("box"));
  }

  private Path at(String inside) {
    return home.resolve(inside);
  }

  @Test
  void emptyRulesGiveNoNetworkAndADirectoryToRead() throws IOException {
    var request = applied("{" + NETWORK + "," + FILES + "}");
    assertThat(request.network()).contains(false);
    assertThat(request.mounts())
        .contains(home.path() + ":" + home.path() + ":ro")
        .allMatch(mount -> mount.endsWith(":ro"));
  }

  @Test
  void domainsBecomeRules() throws IOException {
    var request =
        applied(
            """
            {"network": {"allowedDomains": ["*.example.org"], "deniedDomains": ["x.example.org"]},
            """
                + FILES
                + "}");
    assertThat(request.network()).contains(true);
    assertThat(request.allow()).containsExactly("*.example.org");
    assertThat(request.deny()).containsExactly("x.example.org");
  }

  @Test
  void deniedAndProtectedPathsLieOverWhatMayBeWritten() throws IOException {
    Files.createDirectories(at("w/.git/hooks"));
    Files.createDirectories(at("w/keep"));
    Files.writeString(at("w/.bashrc"), "");
    Files.writeString(at("w/secret"), "");
    var request =
        applied(
            """
            {%s, "filesystem":
              {"denyRead": ["w/secret"], "allowWrite": ["w"], "denyWrite": ["w/keep"]}}
            """
                .formatted(NETWORK));
    assertThat(request.mounts())
        .contains(
            home.path() + ":" + home.path() + ":ro",
            at("w") + ":" + at("w") + ":rw",
            at("w/keep") + ":" + at("w/keep") + ":ro")
        .contains(at("w/.bashrc") + ":" + at("w/.bashrc") + ":ro")
        .contains(at("w/.git/hooks") + ":" + at("w/.git/hooks") + ":ro");
    assertThat(request.hidden()).contains(at("w/secret").toString(), at("w/.vscode").toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"network\": {\"allowedDomains\": []}, \"filesystem\": {}}",
        "{\"netwrok\": {}}",
        "{NETWORK, FILES, \"enableWeakerNestedSandbox\": true}",
        "{NETWORK, \"filesystem\": {\"denyRead\": [], \"allowWrite\": [\"none\"], \"denyWrite\":"
            + " []}}",
        "{NETWORK, \"filesystem\": {\"denyRead\": [], \"allowWrite\": [\"*.py\"], \"denyWrite\":"
            + " []}}",
        "{NETWORK, \"filesystem\": {\"denyRead\": [\".\"], \"allowWrite\": [], \"denyWrite\":"
            + " []}}",
        "{NETWORK, \"filesystem\": {\"denyRead\": [], \"allowWrite\": [\".\"], \"denyWrite\":"
            + " [\"..\"]}}",
        "{NETWORK, \"filesystem\": {\"denyRead\": [], \"allowWrite\": [], \"denyWrite\": [],"
            + " \"allowGitConfig\": \"no\"}}",
        "{NETWORK, FILES, \"mandatoryDenySearchDepth\": 11}",
        "{NETWORK, \"filesystem\": {\"denyRead\": [], \"allowWrite\": [\".\"], \"denyWrite\":"
            + " [\".\"]}}",
        "{NETWORK, \"filesystem\": {\"denyRead\": 1, \"allowWrite\": [], \"denyWrite\": []}}",
        "{\"network\": {\"allowedDomains\": [], \"deniedDomains\": [], \"httpProxyPort\": 1},"
            + " FILES}",
        "{\"network\": {\"allowedDomains\": [], \"deniedDomains\": [], \"allowAllUnixSockets\":"
            + " true}, FILES}"
      })
  void whatIsWrongIsRefused(String json) {
    assertThatThrownBy(() -> applied(json.replace("NETWORK", NETWORK).replace("FILES", FILES)))
        .isInstanceOf(Problem.class);
  }

  @Test
  void linkThatCodeInsideCouldReplaceIsRefused() throws IOException {
    Files.createDirectories(at("w/real"));
    Files.createSymbolicLink(at("w/link"), at("w/real"));
    assertThatThrownBy(() -> applied(rules("", "w", "w/link/x")))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("w/link");
    Files.delete(at("w/link"));
    Files.createSymbolicLink(at("w/.mcp.json"), at("w/real"));
    assertThatThrownBy(() -> applied(rules("", "w", "")))
        .isInstanceOf(Problem.class)
        .hasMessageContaining(".mcp.json");
  }

  @Test
  void linkOutsideIsFollowedToWhatIsDenied() throws IOException {
    Files.createDirectories(at("w/keep"));
    Files.createSymbolicLink(at("alias"), at("w"));
    var request = applied(rules("alias/later", "w", "alias/keep"));
    assertThat(request.mounts()).contains(at("w/keep") + ":" + at("w/keep") + ":ro");
    assertThat(request.hidden()).contains(at("w/later").toString());
  }

  private static String rules(String denyRead, String allowWrite, String denyWrite) {
    return "{%s, \"filesystem\": {\"denyRead\": [%s], \"allowWrite\": [%s], \"denyWrite\": [%s]}}"
        .formatted(NETWORK, quoted(denyRead), quoted(allowWrite), quoted(denyWrite));
  }

  private static String quoted(String path) {
    return path.isEmpty() ? "" : "\"" + path + "\"";
  }

  @Test
  void fileThatIsMissingIsRefused() {
    assertThatThrownBy(() -> RuntimeConfig.read(at("none.json"), home.path()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("none.json");
  }
}
