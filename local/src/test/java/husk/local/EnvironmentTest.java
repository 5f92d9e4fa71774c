package husk.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class EnvironmentTest {
  private static final Map<String, String> GIVEN =
      Map.of(
          "PATH",
          "/bin",
          "LC_ALL",
          "C.UTF-8",
          "LANGUAGE",
          "en",
          "PIP_INDEX_URL",
          "https://pip",
          "https_proxy",
          "http://proxy",
          "AWS_SECRET_ACCESS_KEY",
          "secret",
          "HUSK_HOME",
          "/h",
          "KERNELBOX_MAX_RETRIES",
          "3",
          "XDG_RUNTIME_DIR",
          "/run/user/1");

  @Test
  void theDaemonInheritsWhatIsListedAndNoSecrets() {
    assertThat(Environment.forDaemon(GIVEN))
        .containsOnlyKeys(
            "PATH",
            "LC_ALL",
            "PIP_INDEX_URL",
            "https_proxy",
            "HUSK_HOME",
            "KERNELBOX_MAX_RETRIES",
            "XDG_RUNTIME_DIR");
  }

  @Test
  void theDaemonIsToldOfTheCallersLocaleAndSettingsAlone() {
    assertThat(SmallJson.parse(Environment.ofCaller(GIVEN, "/here").toString()))
        .isEqualTo(
            Map.of(
                "cwd",
                "/here",
                "environment",
                Map.of("PATH", "/bin", "LC_ALL", "C.UTF-8", "LANGUAGE", "en"),
                "variables",
                Map.of("HUSK_HOME", "/h", "KERNELBOX_MAX_RETRIES", "3")));
  }
}
