package husk.core;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsTest {
  @TempDir Path home;
  @TempDir Path project;

  private ResolvedSettings resolve(Map<String, String> variables) {
    return new SettingsResolver(home)
        .resolve(new Caller(Optional.of(project.toString()), Map.of(), variables));
  }

  @Test
  void defaultsAreThese() {
    assertThat(resolve(Map.of()).settings())
        .isEqualTo(
            new Settings(
                5,
                Duration.ofSeconds(60),
                Duration.ofSeconds(1800),
                10_000,
                Optional.empty(),
                "husk",
                Optional.empty(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(600),
                1024,
                "bubblewrap",
                Optional.of("moderate"),
                Optional.empty(),
                Optional.empty(),
                4096L << 20));
  }

  @Test
  void everyVariableIsMapped() {
    var settings =
        resolve(
                Map.ofEntries(
                    entry("HUSK_MAX_RETRIES", "7"),
                    entry("KERNELBOX_EXECUTION_TIMEOUT", "1.5"),
                    entry("KERNELBOX_KERNEL_IDLE_TIMEOUT", "2"),
                    entry("KERNELBOX_OUTPUT_CHAR_LIMIT", "3"),
                    entry("KERNELBOX_STARTUP_CODE", "x = 1"),
                    entry("KERNELBOX_KERNEL_TYPE", "ir"),
                    entry("HUSK_PYTHON", "python3.12"),
                    entry("HUSK_INTERRUPT_GRACE", "4"),
                    entry("HUSK_DAEMON_IDLE_TIMEOUT", "0"),
                    entry("HUSK_MAX_KERNELS", "0"),
                    entry("HUSK_BACKEND", "host"),
                    entry("HUSK_PROFILE", "restrictive"),
                    entry("HUSK_LIVE_STATE", "off"),
                    entry("HUSK_SANDBOX_CONFIG", "rules.json")))
            .settings();
    assertThat(settings)
        .isEqualTo(
            new Settings(
                7,
                Duration.ofMillis(1500),
                Duration.ofSeconds(2),
                3,
                Optional.of("x = 1"),
                "ir",
                Optional.of("python3.12"),
                Duration.ofSeconds(4),
                Duration.ZERO,
                Integer.MAX_VALUE,
                "host",
                Optional.of("restrictive"),
                Optional.of(false),
                Optional.of("rules.json"),
                4096L << 20));
  }

  @Test
  void servingHasSettingsOfItsOwn() {
    assertThat(resolve(Map.of()).serving())
        .isEqualTo(
            new ServeSettings(
                "127.0.0.1",
                8080,
                List.of(),
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                false,
                List.of(),
                List.of(),
                false,
                false,
                false,
                512,
                Optional.empty()));
    var variables = new HashMap<String, String>();
    variables.put("HUSK_HOST", "0.0.0.0");
    variables.put("HUSK_PORT", "0");
    variables.put("AGENTKERNEL_API_KEY", "one, two");
    variables.put("HUSK_API_KEY_FILE", "keys");
    variables.put("HUSK_TLS", "on");
    variables.put("HUSK_TLS_CERT", "cert.pem");
    variables.put("HUSK_TLS_KEY", "key.pem");
    variables.put("HUSK_ALLOW_ORIGIN", "https://a.example,https://b.example");
    variables.put("HUSK_ALLOW_HOST_BACKEND", "on");
    variables.put("HUSK_ALLOW_MOUNT", "/srv/a, /srv/b");
    variables.put("HUSK_ALLOW_PROFILE", "permissive");
    variables.put("HUSK_ALLOW_PYTHON", "true");
    variables.put("HUSK_ALLOW_PRIVATE_NETWORK", "1");
    variables.put("HUSK_ALLOW_PUBLISH", "yes");
    variables.put("HUSK_MAX_REQUESTS", "3");
    variables.put("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    assertThat(resolve(variables).serving())
        .isEqualTo(
            new ServeSettings(
                "0.0.0.0",
                0,
                List.of("one", "two"),
                Optional.of("keys"),
                true,
                Optional.of("cert.pem"),
                Optional.of("key.pem"),
                List.of("https://a.example", "https://b.example"),
                true,
                List.of("/srv/a", "/srv/b"),
                List.of("permissive"),
                true,
                true,
                true,
                3,
                Optional.of("http://127.0.0.1:4318")));
  }

  @Test
  void portsBeyondTheLastAreRefused() {
    var resolved = resolve(Map.of("HUSK_PORT", "65536"));
    assertThatThrownBy(resolved::serving).hasMessageContaining("a port: 0 to 65535");
  }

  @Test
  void variableBeatsTheProjectsFileWhichBeatsTheHomesFileWhichBeatsTheDefault() throws Exception {
    Files.writeString(home.resolve("husk.toml"), "max-retries = 2\nexecution-timeout = 4\n");
    Files.writeString(project.resolve("husk.toml"), "execution-timeout = 3.5\n");
    var resolved =
        resolve(Map.of("HUSK_OUTPUT_CHAR_LIMIT", "9", "KERNELBOX_OUTPUT_CHAR_LIMIT", "8"));
    assertThat(resolved.settings().maxRetries()).isEqualTo(2);
    assertThat(resolved.settings().executionTimeout()).isEqualTo(Duration.ofMillis(3500));
    assertThat(resolved.settings().outputCharLimit()).isEqualTo(9);
    assertThat(source(resolved, SettingKey.EXECUTION_TIMEOUT))
        .isEqualTo(project.toRealPath().resolve("husk.toml").toString());
    assertThat(source(resolved, SettingKey.OUTPUT_CHAR_LIMIT)).isEqualTo("HUSK_OUTPUT_CHAR_LIMIT");
  }

  @Test
  void unknownKeyInAFileIsRefusedWithTheNearestOne() throws Exception {
    Files.writeString(project.resolve("husk.toml"), "execution-timeot = 3\n");
    assertRefused(Map.of(), "execution-timeout");
  }

  @Test
  void unknownVariableIsRefusedWithTheNearestOne() {
    assertRefused(Map.of("HUSK_EXECUTION_TIMEOT", "3"), "HUSK_EXECUTION_TIMEOUT");
  }

  @Test
  void valueThatIsNoNumberIsRefusedAndSaysWhoSetIt() {
    assertRefused(Map.of("KERNELBOX_MAX_RETRIES", "many"), "KERNELBOX_MAX_RETRIES");
    assertRefused(Map.of("HUSK_MAX_RETRIES", "0"), "HUSK_MAX_RETRIES");
  }

  @Test
  void placeOfTheRegistryCannotBeSetInAFile() throws Exception {
    Files.writeString(project.resolve("husk.toml"), "registry-path = \"x\"\n");
    assertRefused(Map.of(), "HUSK_REGISTRY_PATH");
  }

  @Test
  void brokenFileIsReportedByName() throws Exception {
    Files.writeString(project.resolve("husk.toml"), "max-retries = = 3\n");
    assertThatThrownBy(() -> resolve(Map.of()).settings()).hasMessageContaining("husk.toml");
  }

  private static String source(ResolvedSettings resolved, SettingKey key) {
    return requireNonNull(resolved.all().get(key)).source();
  }

  private void assertRefused(Map<String, String> variables, String remedy) {
    assertThatThrownBy(() -> resolve(variables).settings())
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(Problem.Code.INVALID_SETTING);
              assertThat(problem.remedies().toString()).contains(remedy);
            });
  }
}
