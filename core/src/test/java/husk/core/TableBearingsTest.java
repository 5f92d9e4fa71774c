package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.core.trust.Widening;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What the tables of a project's file may do to its user's sandboxes.
final class TableBearingsTest {
  private static final SandboxRequest PLAIN = SandboxRequest.named("asked");

  @TempDir Path project;
  @TempDir Path home;

  private ProjectFile file(String toml) throws IOException {
    Files.writeString(project.resolve("husk.toml"), toml);
    var caller = new Caller(Optional.of(project.toString()), Map.of(), Map.of());
    return ProjectFile.find(Optional.empty(), caller).orElseThrow();
  }

  private static String toml(String table, String line) {
    return "[" + table + "]\n" + line.replace(';', '\n') + "\n";
  }

  private static List<String> keys(List<Widening> wider) {
    return wider.stream().map(Widening::key).distinct().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          sandbox           | name = "x"
          sandbox           | backend = "bubblewrap"
          sandbox           | runtime = "python"
          sandbox           | labels = {a = "b"}
          sandbox           | description = "x"
          sandbox           | ttl = "60s"
          sandbox           | base_image = "python:3.12"
          security          | profile = "moderate"
          security          | profile = "restrictive"
          security          | profile = "restrictive";network = true
          security          | network = false
          security          | network = true
          security          | mount_cwd = false
          security.domains  | block = ["a.example"]
          security.domains  | allow = ["a.example", "8.8.8.8"];allowlist_only = true
          security.domains  | allow = ["127.0.0.1"]
          security.commands | block = ["curl"]
          security.commands | allow = ["ls"];allowlist_only = true
          resources         | memory_mb = 512
          resources         | vcpus = 0.5
          resources         | cpu_percent = 100
          resources         | processes = 10
          resources         | open_files = 100
          resources         | file_size_mb = 1
          resources         | workspace_mb = 1
          resources         | tmp_mb = 1
          environment       | A = "b"
          network           | ports = []
          """)
  void whatIsNoWiderCountsAsItIs(String table, String line) throws IOException {
    assertThat(file(toml(table, line)).widenings(PLAIN)).isEmpty();
    file(toml(table, line)).complete(PLAIN, new TrustStore(home));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          sandbox          | backend = "host"                                      | sandbox.backend
          sandbox          | backend = "docker"                                    | sandbox.backend
          sandbox          | mounts = ["/etc:/etc2"]                               | sandbox.mounts
          security         | profile = "permissive"                                | security.profile
          security         | mount_cwd = true                                      | security.mount_cwd
          security         | mount_cwd = "true"                                    | security.mount_cwd
          security.domains | allow = ["127.0.0.1:22"];allowlist_only = true        | security.domains.allow
          security.domains | allow = ["0.0.0.0/0"];allowlist_only = true           | security.domains.allow
          security.domains | allow = ["169.254.169.254"];allowlist_only = true     | security.domains.allow
          security.domains | allow = ["8.0.0.0/5"];allowlist_only = true           | security.domains.allow
          security.domains | allow = ["[::ffff:0:0/96]"];allowlist_only = true     |
          security.domains | allow = ["::/0"];allowlist_only = true                | security.domains.allow
          security.domains | allow = ["fd00::1"];allowlist_only = true             | security.domains.allow
          security.domains | allow = ["2002:7f00:1::"];allowlist_only = true       | security.domains.allow
          network          | ports = ["8080:80"]                                   | network.ports
          resources        | memory_mb = 513                                       | resources.memory_mb
          resources        | memory_mb = 0                                         | resources.memory_mb
          resources        | memory_mb = -1                                        | resources.memory_mb
          resources        | memory_mb = "much"                                    | resources.memory_mb
          resources        | vcpus = 2                                             | resources.vcpus
          resources        | vcpus = nan                                           | resources.vcpus
          resources        | vcpus = inf                                           | resources.vcpus
          resources        | cpu_percent = 101                                     | resources.cpu_percent
          resources        | processes = 2000                                      | resources.processes
          resources        | open_files = 0                                        | resources.open_files
          resources        | file_size_mb = 5000                                   | resources.file_size_mb
          resources        | workspace_mb = 5000                                   | resources.workspace_mb
          resources        | tmp_mb = 513                                          | resources.tmp_mb
          """)
  void whatIsWiderIsRefusedUntilItsContentIsTrusted(String table, String line, String key)
      throws IOException {
    var toml = toml(table, line);
    var trust = new TrustStore(home);
    assertThatThrownBy(() -> file(toml).complete(PLAIN, trust))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              if (key != null) {
                assertThat(problem.code()).isEqualTo(Problem.Code.PROJECT_NOT_TRUSTED);
                assertThat(problem.text()).contains("`" + key + " = ");
              }
            });
    if (key != null) {
      trust.trust(ProjectText.require(project.resolve("husk.toml")));
      file(toml).complete(PLAIN, trust);
      assertThatThrownBy(() -> file(toml + "# changed\n").complete(PLAIN, trust))
          .hasMessageContaining("it has changed since you trusted it");
    }
  }

  @Test
  void filesThatWouldBeCopiedInAreWider() throws IOException {
    var file = file("[[files]]\nsource = \"../../.ssh/id_rsa\"\ndest = \"/workspace/k\"\n");
    assertThat(file.widenings(PLAIN))
        .singleElement()
        .satisfies(one -> assertThat(one.value()).contains(".ssh/id_rsa"));
  }

  @Test
  void variablesAreWiderOnlyWhereNothingIsAroundTheirPrograms() throws IOException {
    var file = file("[environment]\nLD_PRELOAD = \"/tmp/evil.so\"\n");
    assertThat(file.widenings(PLAIN)).isEmpty();
    assertThat(keys(file.widenings(PLAIN.on("host")))).containsExactly("environment");
  }

  @Test
  void whatTheUserSaidMoreStrictlyIsNotOpenedAgain() throws IOException {
    var file = file("[security]\nnetwork = true\n[resources]\nmemory_mb = 400\n");
    assertThat(keys(file.widenings(PLAIN.under("restrictive"))))
        .containsExactlyInAnyOrder("security.network", "resources.memory_mb");
    assertThat(file.widenings(PLAIN.under("permissive"))).isEmpty();
  }

  @Test
  void whereTheUserSaysItHerselfTheFileIsNotHeard() throws IOException {
    var file =
        file(
            """
            [sandbox]
            backend = "host"
            mounts = ["/etc:/etc2"]
            [security]
            profile = "permissive"
            mount_cwd = true
            [network]
            ports = ["8080:80"]
            [resources]
            memory_mb = 4096
            """);
    var asked =
        PLAIN
            .on("bubblewrap")
            .under("moderate")
            .inFolder("/tmp")
            .showing(List.of("/usr/share:/s"))
            .publishing(List.of("80"))
            .limitedTo(Map.of("memory_mb", 100L));
    assertThat(file.widenings(asked)).isEmpty();
  }

  /// Compiles only if it is; and every key is spelled as it is found.
  @ParameterizedTest
  @EnumSource
  void everyKeyIsDecided(ProjectKey key) {
    assertThat(TableBearings.of(key)).isNotNull();
    assertThat(ProjectKey.tables()).contains(key.path().getFirst());
  }

  @Test
  void everyTableThatIsReadHasItsKeys() {
    var read =
        Arrays.stream(ProjectKey.values())
            .map(key -> key.path().getFirst())
            .collect(Collectors.toSet());
    assertThat(read)
        .containsExactlyInAnyOrder(
            "sandbox", "resources", "network", "security", "environment", "files", "secrets");
  }

  @Test
  void emptyFileThatHoldsAPlaceDoesNotHideTheOther() throws IOException {
    Files.writeString(project.resolve("husk.toml"), "");
    Files.writeString(project.resolve("agentkernel.toml"), "[security]\nnetwork = false\n");
    var caller = new Caller(Optional.of(project.toString()), Map.of(), Map.of());
    var found = ProjectFile.find(Optional.empty(), caller).orElseThrow();
    assertThat(found.complete(PLAIN, new TrustStore(home)).network()).contains(false);
  }
}
