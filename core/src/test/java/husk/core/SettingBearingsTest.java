package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.core.trust.Widening;
import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What a project's `husk.toml` may do to its user's settings.
final class SettingBearingsTest {
  @TempDir Path home;
  @TempDir Path project;

  private ResolvedSettings resolve(Map<String, String> variables) {
    return new SettingsResolver(home)
        .resolve(new Caller(Optional.of(project.toString()), Map.of(), variables));
  }

  private void write(Path folder, String toml) throws IOException {
    Files.writeString(folder.resolve("husk.toml"), toml);
  }

  /// Key, what the user set, what the project may say, what it may not.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          backend             | bubblewrap        | bubblewrap   | host
          backend             | host              | bubblewrap   | docker
          profile             | moderate          | restrictive  | permissive
          profile             | restrictive       | restrictive  | moderate
          profile             | permissive        | moderate     | unheard-of
          live-state          | off               | off          | on
          live-state          | off               | no           | ''
          live-state          | ''                | off          | on
          live-state          | on                | ''           |
          python              | python3.12        | data         | /tmp/evil/python
          python              | python3.12        | python3.12   | ./python
          sandbox-config      | rules.json        | rules.json   | other.json
          startup-code        | import math       | import math  | import os
          execution-timeout   | 60                | 5            | 61
          execution-timeout   | 60                | 60           | 0
          execution-timeout   | 60                | 0.5          | 0.0001
          execution-timeout   | 60                | 60.0         | Infinity
          execution-timeout   | 0                 | 3600         |
          kernel-idle-timeout | 1800              | 10           | 1801
          interrupt-grace     | 5                 | 0            | 6
          daemon-idle-timeout | 600               | 1            | 0
          output-char-limit   | 10000             | 1            | 10001
          output-char-limit   | 10000             | 9999         | 0.9
          output-char-limit   | 10000             | 10000        | -1
          output-char-limit   | 10000             | 5            | NaN
          max-kernels         | 1024              | 1            | 0
          checkpoint-memory   | 4096              | 10           | 0
          max-retries         | 5                 | 1            | 6
          sandbox-pool        | 4                 | 0            | 5
          sandbox-pool-age    | 300               | 10           | 301
          kernel-pool         | 2                 | 0            | 1000
          kernel-pool-age     | 300               | 1            | 1e9
          host                | 0.0.0.0           | 127.0.0.1    | ::
          host                | 127.0.0.1         | localhost    | 0.0.0.0
          api-key             | mine              | mine         | theirs
          api-key-file        | mine              | mine         | theirs
          tls                 | off               | on           |
          tls                 | on                | on           | off
          tls-cert            | mine              | mine         | theirs
          tls-key             | mine              | mine         | theirs
          allow-origin        | https://a,https://b | https://b  | https://a,*
          allow-host-backend  | on                | off          |
          allow-host-backend  | off               | false        | on
          allow-mount         | /a,/b             | /b           | /a,/
          allow-profile       | moderate          | moderate     | permissive
          allow-python        | off               | off          | true
          allow-private-network | off             | off          | yes
          allow-publish       | off               | no           | 1
          max-requests        | 512               | 1            | 513
          otlp-endpoint       | http://a          | http://a     | http://evil
          kernel-type         | husk              | ir           |
          port                | 8080              | 9090         |
          """)
  void valueThatIsNoWiderCountsAndAnyOtherIsRefused(
      String key, String users, String narrow, String wide) throws IOException {
    Files.createDirectories(home.resolve("python/data"));
    Files.writeString(
        home.resolve("python/data/environment.json"),
        """
        {"name": "data", "executable": "/x", "from": "python3", "requirements": [], "preload": []}
        """);
    var line = key + " = \"%s\"\n";
    write(home, line.formatted(users));
    write(project, line.formatted(narrow));
    var setting = SettingKey.byFileName(key).orElseThrow();
    assertThat(resolve(Map.of()).untrusted()).isEmpty();
    assertThat(resolve(Map.of()).get(setting).value()).isEqualTo(narrow);
    if (wide != null) {
      write(project, line.formatted(wide));
      var resolved = resolve(Map.of());
      assertThat(resolved.untrusted()).singleElement().extracting(Widening::key).isEqualTo(key);
      assertThat(resolved.get(setting).value()).isEqualTo(users);
      assertThatThrownBy(resolved::settings).satisfies(SettingBearingsTest::saysHowToTrust);
      assertThatThrownBy(resolved::serving).satisfies(SettingBearingsTest::saysHowToTrust);
    }
  }

  private static void saysHowToTrust(Throwable thrown) {
    var problem = (Problem) thrown;
    assertThat(problem.code()).isEqualTo(Problem.Code.PROJECT_NOT_TRUSTED);
    assertThat(problem.remedies()).first().asString().startsWith("`husk trust /");
  }

  /// A key that can be written in a file and does not stand in the list above was forgotten.
  @ParameterizedTest
  @EnumSource
  void everySettingIsDecided(SettingKey key) {
    assertThat(new SettingBearings(_ -> false).of(key)).isNotNull();
  }

  @Test
  void refusalSaysWhichKeyWhichValueAndWhatItWouldOpen() throws IOException {
    write(project, "backend = \"host\"\nmax-retries = 9\nexecution-timeout = 1\n");
    assertThatThrownBy(() -> resolve(Map.of()).settings())
        .hasMessageContaining("`backend = host` runs kernels outside of any sandbox")
        .hasMessageContaining("`max-retries = 9` lifts a limit")
        .hasMessageNotContaining("execution-timeout");
  }

  @Test
  void secretsAreNotShown() throws IOException {
    write(project, "api-key = \"s3cret\"\n");
    assertThatThrownBy(() -> resolve(Map.of()).settings()).hasMessageNotContaining("s3cret");
    assertThat(resolve(Map.of()).untrusted().toString()).doesNotContain("s3cret");
  }

  @Test
  void trustedContentCountsUntilItChanges() throws IOException {
    write(project, "backend = \"host\"\n");
    var file = project.resolve("husk.toml");
    new TrustStore(home).trust(ProjectText.require(file));
    assertThat(resolve(Map.of()).settings().backend()).isEqualTo("host");
    write(project, "backend = \"host\"\nprofile = \"permissive\"\n");
    assertThatThrownBy(() -> resolve(Map.of()).settings())
        .hasMessageContaining("it has changed since you trusted it");
  }

  @Test
  void usersVariableSaysOtherwiseAnyway() throws IOException {
    write(project, "backend = \"host\"\nexecution-timeout = 0\n");
    var variables = Map.of("HUSK_BACKEND", "bubblewrap", "KERNELBOX_EXECUTION_TIMEOUT", "7");
    assertThat(resolve(variables).settings().backend()).isEqualTo("bubblewrap");
    assertThat(resolve(variables).settings().executionTimeout()).hasSeconds(7);
  }

  @Test
  void whoeverIsInTheHomeItselfHasNoProject() throws IOException {
    write(home, "backend = \"host\"\n");
    project = home;
    assertThat(resolve(Map.of()).settings().backend()).isEqualTo("host");
  }

  @Test
  void emptyFileThatHoldsAPlaceSaysNothing() throws IOException {
    write(project, "");
    assertThat(resolve(Map.of()).settings().backend()).isEqualTo("bubblewrap");
  }

  @Test
  void otherSpellingsOfAKeyAreUnknown() throws IOException {
    for (var spelled : new String[] {"Backend", "BACKEND", "HUSK_BACKEND", "\"backend \""}) {
      write(project, spelled + " = \"host\"\n");
      assertThatThrownBy(() -> resolve(Map.of()).settings())
          .as(spelled)
          .hasMessageContaining("unknown key");
    }
  }
}
