package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.local.HttpAnswer;
import husk.model.Problem;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExitCodesTest {

  @ParameterizedTest
  @CsvSource({
    "USAGE,2",
    "KERNEL_NOT_FOUND,3",
    "EXECUTION_NOT_FOUND,3",
    "KERNELSPEC_NOT_FOUND,3",
    "ENVIRONMENT_NOT_FOUND,3",
    "DAEMON_UNAVAILABLE,4",
    "KERNEL_START_FAILED,4",
    "KERNEL_UNRESPONSIVE,4",
    "ENVIRONMENT_BROKEN,4",
    "TOOL_MISSING,4",
    "CAPACITY_EXHAUSTED,4",
    "OVERLOADED,4",
    "ADDRESS_UNAVAILABLE,4",
    "SESSION_NOT_FOUND,3",
    "LISTENER_NOT_FOUND,3",
    "SANDBOX_NOT_FOUND,3",
    "NOT_FOUND_INSIDE,3",
    "SANDBOX_FAILED,4",
    "ISOLATION_UNAVAILABLE,4",
    "PROCESS_LIMIT,4",
    "DISK_LIMIT,4",
    "SANDBOX_ALREADY_EXISTS,5",
    "SANDBOX_NOT_RUNNING,5",
    "CHECKPOINT_NOT_FOUND,3",
    "COPY_REFUSED,5",
    "COPY_FAILED,4",
    "NOT_EXECUTABLE,6",
    "UNAUTHENTICATED,6",
    "FORBIDDEN,6",
    "TOO_LARGE,6",
    "TOO_SLOW,6",
    "KERNEL_ALREADY_EXISTS,5",
    "INVALID_REQUEST,6",
    "INVALID_NAME,6",
    "INVALID_SETTING,6",
    "LANGUAGE_UNSUPPORTED,6",
    "CAPABILITY_MISSING,6",
    "STORE_FAILED,70",
    "INTERNAL,70"
  })
  void everyProblemHasItsExitCode(Problem.Code code, int exit) {
    assertThat(ExitCodes.of(code)).isEqualTo(exit);
  }

  @Test
  void anAnswersHeadDecides() {
    assertThat(of(200)).isZero();
    assertThat(of(200, "Husk-Status", "success")).isZero();
    assertThat(of(200, "Husk-Status", "timeout")).isEqualTo(1);
    assertThat(of(200, "Husk-Alive", "true")).isZero();
    assertThat(of(200, "Husk-Alive", "false")).isEqualTo(1);
    assertThat(of(404, "Husk-Problem", "kernel_not_found")).isEqualTo(3);
    assertThat(of(500)).isEqualTo(70);
    assertThat(of(418, "Husk-Problem", "something_new")).isEqualTo(70);
  }

  private static int of(int status, String... header) {
    var headers = new TreeMap<String, String>();
    if (header.length > 0) {
      headers.put(header[0], header[1]);
    }
    return ExitCodes.of(new HttpAnswer(status, Map.copyOf(headers), InputStream.nullInputStream()));
  }
}
