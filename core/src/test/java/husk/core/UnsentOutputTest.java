package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.testkit.LeakDetector;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What was printed, and not yet sent, when the process ended.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UnsentOutputTest {
  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.core.sandboxes().clean(true);
    host.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "host       | import os; os._exit(1)",
        "host       | import os; os.kill(os.getpid(), 9)",
        "host       | import ctypes; ctypes.string_at(0)",
        "bubblewrap | import os; os._exit(1)",
        "bubblewrap | import os; os.kill(os.getpid(), 9)",
        "bubblewrap | import ctypes; ctypes.string_at(0)"
      })
  void isInTheResultOnce(String backend, String end) {
    host.variables.put("HUSK_BACKEND", backend);
    var result =
        host.core.execute(
            "k",
            ExecuteRequest.of("print('said', end='')\nprint(' last')\n" + end),
            Optional.of(host.options()),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.status().wireName()).isEqualTo("died");
    assertThat(result.output()).isEqualTo("said last\n");
  }
}
