package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// KernelBox's documents, followed line by line with `husk`.
@ExtendWith(LeakDetector.class)
final class BriefTest {
  private HuskCommand husk;

  @BeforeEach
  void open() {
    husk = new HuskCommand();
  }

  @AfterEach
  void close() {
    husk.close();
  }

  @Test
  void oneLineTestWorksOnANameThatWasNeverCreated() {
    var outcome = husk.run("exec", "--name", "test", "print('Husk is working!')");
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.json().path("status").asString()).isEqualTo("success");
    assertThat(outcome.json().path("output").asString()).isEqualTo("Husk is working!\n");
    assertThat(outcome.json().path("return_value").isNull()).isTrue();
    assertThat(outcome.json().propertyNames())
        .contains(
            "status",
            "output",
            "stderr",
            "error",
            "return_value",
            "execution_count",
            "duration_ms",
            "outputs",
            "attempts",
            "truncated");
  }

  @Test
  void stateSurvivesBetweenCalls() {
    assertThat(value("x = [1, 2, 3]\nsum(x)")).isEqualTo("6");
    assertThat(value("x.append(4)\nsum(x)")).isEqualTo("10");
  }

  @Test
  void everyCommandOfTheReferenceDoesWhatItSays() {
    var created = husk.run("create", "--name", "my-kernel");
    assertThat(created.exit()).isZero();
    assertThat(created.json().propertyNames())
        .contains(
            "kernel_id",
            "connection_file",
            "name",
            "created_at",
            "last_used_at",
            "status",
            "session_name",
            "attempt_count",
            "tags",
            "pid",
            "start_time",
            "backend",
            "python",
            "cwd",
            "environment",
            "memory");
    assertThat(husk.run("list").json().path("kernels")).hasSize(1);
    assertThat(
            husk.run("list", "--refresh")
                .json()
                .path("kernels")
                .get(0)
                .path("responsive")
                .asBoolean())
        .isTrue();
    assertThat(husk.run("status", "--name", "my-kernel").json().path("alive").asBoolean()).isTrue();
    assertThat(
            husk.run("exec", "--name", "my-kernel", "print(1 + 1)")
                .json()
                .path("output")
                .asString())
        .isEqualTo("2\n");
    assertThat(
            husk.run("exec", "--name", "my-kernel", "--bash", "echo hello")
                .json()
                .path("output")
                .asString())
        .isEqualTo("hello\n");
    assertThat(husk.run("exec", "--name", "my-kernel", "--timeout", "30", "'fine'").exit())
        .isZero();
    var restarted = husk.run("restart", "--name", "my-kernel");
    assertThat(restarted.json().path("pid").asLong())
        .isNotEqualTo(created.json().path("pid").asLong());
    assertThat(husk.run("destroy", "--name", "my-kernel").json().path("destroyed").asBoolean())
        .isTrue();
    husk.run("create", "--name", "a");
    husk.run("create", "--name", "b");
    assertThat(husk.run("wipe").json().path("destroyed")).hasSize(2);
    assertThat(husk.run("list").json().path("kernels")).isEmpty();
  }

  @Test
  void everyVariableOfTheBriefIsHeeded() {
    husk.environment.put("KERNELBOX_MAX_RETRIES", "3");
    husk.environment.put("KERNELBOX_EXECUTION_TIMEOUT", "1");
    husk.environment.put("KERNELBOX_KERNEL_IDLE_TIMEOUT", "900");
    husk.environment.put("KERNELBOX_OUTPUT_CHAR_LIMIT", "100");
    husk.environment.put("KERNELBOX_STARTUP_CODE", "greeting = 'hello'");
    var config = husk.run("config", "show").out();
    assertThat(config).contains("KERNELBOX_MAX_RETRIES", "KERNELBOX_EXECUTION_TIMEOUT");
    assertThat(value("greeting")).isEqualTo("'hello'");
    assertThat(
            husk.run("exec", "--name", "k", "print('x' * 1000)").json().path("output").asString())
        .hasSize(100);
    var late = husk.run("exec", "--name", "k", "import time; time.sleep(60)");
    assertThat(late.json().path("status").asString()).isEqualTo("timeout");
    assertThat(late.exit()).isOne();
    assertThat(husk.run("status", "--name", "k").json().path("kernel").path("idle_timeout").asInt())
        .isEqualTo(900);
  }

  @Test
  void registryAndRuntimeFoldersCanBeChosen() {
    husk.environment.put("KERNELBOX_REGISTRY_PATH", husk.home.resolve("reg.db").toString());
    husk.environment.remove("HUSK_RUNTIME_DIR");
    husk.environment.put("KERNELBOX_RUNTIME_DIR", husk.home.resolve("rt").toString());
    var created = husk.run("create", "--name", "k");
    assertThat(created.json().path("connection_file").asString())
        .startsWith(husk.home.resolve("rt").toString());
    assertThat(Files.exists(husk.home.resolve("reg.db"))).isTrue();
  }

  @Test
  void errorsAreJsonWithCodeMessageAndRemedies() {
    var unknown = husk.run("status", "--name", "nobody");
    assertThat(unknown.exit()).isEqualTo(3);
    assertThat(unknown.errorJson().path("code").asString()).isEqualTo("kernel_not_found");
    assertThat(unknown.errorJson().path("message").asString()).isEqualTo("Unknown kernel: nobody");
    assertThat(unknown.errorJson().path("remedies")).isNotEmpty();
    husk.run("create", "--name", "twice");
    var duplicate = husk.run("create", "--name", "twice");
    assertThat(duplicate.exit()).isEqualTo(5);
    assertThat(duplicate.errorJson().path("code").asString()).isEqualTo("kernel_already_exists");
    var usage = husk.run("exec", "--nmae", "k", "1");
    assertThat(usage.exit()).isEqualTo(2);
    assertThat(usage.err()).contains("--name").doesNotContain("Exception", "\tat ");
    assertThat(husk.run("exec", "--name", "twice", "1/0").exit()).isOne();
  }

  private String value(String code) {
    return husk.run("exec", "--name", "k", code).json().path("return_value").asString();
  }
}
