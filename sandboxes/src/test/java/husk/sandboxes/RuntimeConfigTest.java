package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    assertThat(request.mounts()).containsExactly(home.path() + ":" + home.path() + ":ro");
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
        .startsWith(
            home.path() + ":" + home.path() + ":ro",
            at("w") + ":" + at("w") + ":rw",
            at("w/keep") + ":" + at("w/keep") + ":ro")
        .contains(at("w/.bashrc") + ":" + at("w/.bashrc") + ":ro")
        .contains(at("w/.git/hooks") + ":" + at("w/.git/hooks") + ":ro");
    assertThat(request.hidden()).isEqualTo(List.of(at("w/secret").toString()));
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
        "{NETWORK, \"filesystem\": {\"denyRead\": [], \"allowWrite\": [\".\"], \"denyWrite\":"
            + " [\"new\"]}}",
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
  void fileThatIsMissingIsRefused() {
    assertThatThrownBy(() -> RuntimeConfig.read(at("none.json"), home.path()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("none.json");
  }
}
