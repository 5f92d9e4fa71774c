package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `husk.toml` and `agentkernel.toml` say of sandboxes.
@ExtendWith(LeakDetector.class)
final class ProjectFileTest {
  private final TempHome home;

  ProjectFileTest() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void close() throws IOException {
    home.close();
  }

  private Caller caller() {
    return new Caller(Optional.of(home.path().toString()), Map.of(), Map.of());
  }

  private SandboxRequest completed(String name, String toml) throws IOException {
    Files.writeString(home.resolve(name), toml);
    return ProjectFile.find(Optional.empty(), caller())
        .orElseThrow()
        .complete(SandboxRequest.named("asked"), trusting());
  }

  /// As if its user had trusted whatever the files say.
  private TrustStore trusting() {
    var store = new TrustStore(home.resolve("none"));
    ProjectText.NAMES.forEach(name -> ProjectText.find(home.resolve(name)).ifPresent(store::trust));
    return store;
  }

  @Test
  void exampleOfTheBriefIsRead() throws IOException {
    var request =
        completed(
            "agentkernel.toml",
            """
            [sandbox]
            name = "my-project"
            base_image = "python:3.12-alpine"
            [agent]
            preferred = "claude"
            [resources]
            vcpus = 2
            memory_mb = 1024
            [security]
            profile = "restrictive"
            network = false
            """);
    assertThat(request.name()).contains("asked");
    assertThat(request.profile()).contains("restrictive");
    assertThat(request.network()).contains(false);
    assertThat(request.limits()).isEqualTo(Map.of("cpu_percent", 200L, "memory_mb", 1024L));
  }

  @Test
  void domainsBecomeRules() throws IOException {
    var request =
        completed(
            "husk.toml",
            """
            execution-timeout = 5
            [security.domains]
            allow = ["*.example.org", "api.example.com"]
            block = ["bad.example.org"]
            allowlist_only = true
            [network]
            ports = ["8080:80"]
            """);
    assertThat(request.allow()).containsExactly("*.example.org", "example.org", "api.example.com");
    assertThat(request.deny()).containsExactly("bad.example.org");
    assertThat(request.ports()).containsExactly("8080:80");
    assertThat(new SettingsResolver(home.resolve("none")).resolve(caller()).settings())
        .satisfies(settings -> assertThat(settings.executionTimeout()).hasSeconds(5));
  }

  @Test
  void commandsBecomeRules() throws IOException {
    var request =
        completed(
            "husk.toml",
            """
            [security.commands]
            allow = ["ls", "/usr/bin/cat"]
            block = ["curl"]
            allowlist_only = true
            """);
    var rules = request.commands().orElseThrow();
    assertThat(rules.permits("ls")).isTrue();
    assertThat(rules.permits("/usr/bin/ls")).isTrue();
    assertThat(rules.permits("/bin/cat")).isTrue();
    assertThat(rules.permits("cat")).isFalse();
    assertThat(rules.permits("curl")).isFalse();
  }

  @Test
  void listOfAllowedCommandsAloneForbidsNothing() throws IOException {
    assertThat(completed("husk.toml", "[security.commands]\nallow = [\"ls\"]\n").commands())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[secrets]\nKEY = \"api.example.org\"",
        "[security]\nporfile = \"restrictive\"",
        "[security]\nread_only = true",
        "[security]\ncommands = [\"ls\"]",
        "[security.commands]\ndeny = [\"curl\"]",
        "[security.commands]\nblock = \"curl\"",
        "[security.commands]\nblock = [1]",
        "[security.commands]\nallowlist_only = \"yes\"",
        "[security.domains]\nblok = []",
        "[resources]\nmemory = 512"
      })
  void restrictionThatCannotBeHeldIsRefused(String toml) {
    assertThatThrownBy(() -> completed("husk.toml", toml)).isInstanceOf(Problem.class);
  }

  @Test
  void fileThatIsNamedMustBeThere() {
    assertThatThrownBy(() -> ProjectFile.find(Optional.of("none.toml"), caller()))
        .isInstanceOf(Problem.class);
  }

  @Test
  void withoutAFileNothingIsAdded() {
    assertThat(ProjectFile.find(Optional.empty(), caller())).isEmpty();
  }
}
