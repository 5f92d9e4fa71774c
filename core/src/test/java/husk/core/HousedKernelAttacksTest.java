package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelPlace;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What code in a kernel tries in order to get out of its sandbox; commands are tried in
/// `husk.backends.isolation`. What would work without walls is shown to work on `host`.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousedKernelAttacksTest {
  private static final String CALLS =
      """
      import ctypes, os
      libc = ctypes.CDLL(None, use_errno=True)
      def refused(*arguments):
          ctypes.set_errno(0)
          return libc.syscall(*arguments) == -1
      """;

  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.close();
  }

  private void make(String name, String backend, Optional<String> profile) {
    var place = new KernelPlace(Optional.of(backend), Optional.empty(), profile);
    host.core.create(Optional.of(name), host.options().at(place), host.caller());
  }

  private ExecutionResult run(String name, String code) {
    return host.core.execute(
        name,
        ExecuteRequest.of(code),
        Optional.empty(),
        host.caller(),
        ExecutionEvent.Listener.NONE);
  }

  private String value(String name, String code) {
    var result = run(name, code);
    assertThat(result.ok()).as(result.toString()).isTrue();
    return result.returnValue().orElse("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"permissive", "moderate", "restrictive"})
  void wideDoorsAreShut(String profile) {
    make("k", "bubblewrap", Optional.of(profile));
    // mount, unshare, setns, ptrace, keyctl, bpf, userfaultfd, io_uring_setup, perf_event_open
    assertThat(
            value(
                "k",
                CALLS
                    + "[refused(n, 0, 0, 0, 0, 0) for n in (165, 272, 308, 101, 250, 321, 323, 425,"
                    + " 298)]"))
        .isEqualTo("[True, True, True, True, True, True, True, True, True]");
    assertThat(value("k", "os.fork and [l for l in open('/proc/self/status') if 'CapEff' in l][0]"))
        .contains("0000000000000000");
    assertThat(
            value(
                "k",
                """
                try:
                    open('/proc/sys/kernel/core_pattern', 'w').close()
                    outcome = 'open'
                except OSError:
                    outcome = 'shut'
                outcome
                """))
        .isEqualTo("'shut'");
  }

  @Test
  void serversOfTheHostAreOutOfReach() throws IOException {
    try (var server = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 2}))) {
      var code =
          """
          import socket
          try:
              socket.create_connection(('127.0.0.2', %d), 3).close()
              outcome = 'reached'
          except OSError:
              outcome = 'out of reach'
          outcome
          """
              .formatted(server.getLocalPort());
      make("inside", "bubblewrap", Optional.empty());
      make("outside", "host", Optional.empty());
      assertThat(value("inside", code)).isEqualTo("'out of reach'");
      assertThat(value("outside", code)).isEqualTo("'reached'");
    }
  }

  @Test
  void socketsOfAnotherKernelAreOutOfReach() {
    make("other", "bubblewrap", Optional.empty());
    var folder = host.places.kernel(host.core.require("other").kernelId());
    var code = "import os; os.path.exists('" + folder + "')";
    make("inside", "bubblewrap", Optional.empty());
    make("outside", "host", Optional.empty());
    assertThat(value("inside", code)).isEqualTo("False");
    assertThat(value("outside", code)).isEqualTo("True");
  }

  @Test
  void nothingOfTheHostStandsInAnyEnvironment() {
    host.variables.put("HUSK_KERNEL_ENV", "{\"CANARY\": \"of-another\"}");
    make("other", "bubblewrap", Optional.empty());
    assertThat(value("other", "import os; os.environ['CANARY']")).isEqualTo("'of-another'");
    host.variables.remove("HUSK_KERNEL_ENV");
    make("inside", "bubblewrap", Optional.empty());
    var code =
        """
        import glob, os, re
        found = []
        for name in glob.glob('/proc/[0-9]*/environ'):
            try:
                found += [name] if b'of-another' in open(name, 'rb').read() else []
            except OSError:
                pass
        # Its own memory too: it was forked from a process that starts everybody's kernels.
        needle = b'of-' + b'another'
        for line in open('/proc/self/maps'):
            area = re.match(r'([0-9a-f]+)-([0-9a-f]+) rw', line)
            if area and '[v' not in line:
                start, end = (int(part, 16) for part in area.groups())
                with open('/proc/self/mem', 'rb', 0) as memory:
                    try:
                        memory.seek(start)
                        data = memory.read(end - start)
                    except (OSError, ValueError, OverflowError):
                        continue
                found += [line] * (data.count(needle + b'"') + data.count(b'CANARY=' + needle))
        found
        """;
    assertThat(value("inside", code)).isEqualTo("[]");
  }

  @Test
  void forkBombIsContainedAndTheKernelAnswers() {
    make("k", "bubblewrap", Optional.empty());
    var code =
        """
        import os, time
        children, refused = [], False
        for _ in range(3000):
            try:
                child = os.fork()
            except OSError:
                refused = True
                break
            if child == 0:
                time.sleep(600)
                os._exit(0)
            children.append(child)
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)
        refused
        """;
    // Either limit may be the first: that of processes, or that of memory.
    var result = run("k", code);
    var ended = result.death().map(death -> death.cause().wireName()).or(result::returnValue);
    assertThat(ended.orElse("")).isIn("True", "out_of_memory");
    assertThat(value("k", "6 * 7")).isEqualTo("42");
  }

  @Test
  void memoryFoldersAreBounded() {
    make("k", "bubblewrap", Optional.empty());
    var code =
        """
        import os
        outcome = 'unbounded'
        try:
            with open('/tmp/f', 'wb') as file:
                for _ in range(2000):
                    file.write(b'x' * (1 << 20))
        except OSError as error:
            outcome = os.strerror(error.errno)
        os.unlink('/tmp/f')
        outcome
        """;
    assertThat(value("k", code)).isEqualTo("'No space left on device'");
  }
}
