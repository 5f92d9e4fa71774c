package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.BestOfRequest;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.KernelPlace;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attacks that start with the process that copies a kernel taken over for real, or with what is
/// copied tampered with. Closer to the system, and as another user: `test_takeover.py`,
/// `test_taken_over_copies.py` and `test_family.py` of the guest.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TakenOverKernelTest {
  private static final Path GUEST = Path.of(System.getProperty("husk.root", ".."), "guest");
  private static final Path LIBRARY = GUEST.resolve("agent/build/husk-takeover.so");

  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.close();
  }

  private void make(String name, String profile) {
    var place = new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.of(profile));
    host.core.create(Optional.of(name), host.options().at(place), host.caller());
  }

  /// Gives the code in a kernel the means to take others over.
  private void arm(String name) throws IOException {
    Requirements.need(
        Files.isReadable(LIBRARY), "make -C guest/agent OUT=guest/agent attacks (x86_64)");
    var library = Base64.getEncoder().encodeToString(Files.readAllBytes(LIBRARY));
    value(
        name,
        "import base64; open('/workspace/husk-takeover.so', 'wb').write(base64.b64decode('"
            + library
            + "'))");
    value(name, Files.readString(GUEST.resolve("attacks/takeover.py")));
  }

  private String value(String name, String code) {
    var result =
        host.core.execute(
            name,
            ExecuteRequest.of(code),
            Optional.empty(),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.ok()).as(result.toString()).isTrue();
    return result.returnValue().orElse("");
  }

  private void fork(String name, String copy) {
    host.core.fork(name, List.of(Optional.of(copy)), false, host.caller());
  }

  private long innerNumber(String name) throws IOException {
    var sandbox = KernelHomes.name(host.core.require(name).kernelId());
    long pid = host.core.sandboxes().use(sandbox).tenancy().orElseThrow().pid();
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      var numbers = lines.filter(line -> line.startsWith("NSpid:")).findFirst().orElseThrow();
      return Long.parseLong(numbers.split("\\s+")[2]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"permissive", "moderate", "restrictive"})
  void takenOverPorterReachesNothingThatTheSandboxDoesNot(String profile) throws IOException {
    host.variables.put("HUSK_LIVE_STATE", "on");
    var secret = Files.writeString(host.home.path().resolve("secret"), "of the host");
    make("k", profile);
    arm("k");
    value("k", "porter = take_over(); mover = porter.fork(); mover.join(" + innerNumber("k") + ")");
    assertThat(value("k", "porter.capabilities(), porter.list('/')")).isEqualTo("(0, [])");
    assertThat(value("k", "mover.capabilities() > 0, mover.list('/') == sorted(os.listdir('/'))"))
        .isEqualTo("(True, True)");
    var reached = "[isinstance(seat.read('" + secret + "'), bytes) for seat in (porter, mover)]";
    assertThat(value("k", reached)).isEqualTo("[False, False]");
    try (var server = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 2}))) {
      int port = server.getLocalPort();
      assertThat(value("k", "[s.tcp('127.0.0.2', " + port + ") for s in (porter, mover)]"))
          .doesNotContain("[0", ", 0]");
    }
    assertThat(value("k", "names(porter.unix('" + host.places.sockets() + "/daemon.sock'))"))
        .isEqualTo("['ENOENT']");
  }

  @Test
  void whatATakenOverPorterForkedEndsWithItsKernel() throws IOException {
    make("k", "moderate");
    arm("k");
    value("k", "rogue = take_over().fork(); rogue.call('setsid'); rogue.fork(); 0");
    value("k", "mover = rogue.fork(); mover.join(" + innerNumber("k") + "); mover.fork(); 0");
    host.core.destroy("k");
    // The leak detector looks for what is left.
  }

  @Test
  void forkOfATamperedKernelIsRefusedAndTheOriginalGoesOn() throws IOException {
    make("k", "moderate");
    make("other", "moderate");
    arm("k");
    value("k", "leave_out_in_copies('capset')");
    for (int time = 0; time < 2; time++) {
      assertThatThrownBy(() -> fork("k", "copy"))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("did not become what it was to be");
    }
    assertThat(value("k", "6 * 7")).isEqualTo("42");
    fork("other", "copy");
    assertThat(value("copy", "6 * 7")).isEqualTo("42");
  }

  @Test
  void tamperedKernelThatIsTakenBackIsEndedAndComesBackAnew() throws IOException {
    make("k", "moderate");
    arm("k");
    value("k", "leave_out_in_copies('setns'); x = 1");
    host.core.checkpoint("k", Optional.of("c"), false, host.caller());
    assertThatThrownBy(() -> host.core.rollback("k", Optional.of("c")))
        .hasMessageContaining("did not become what it was to be");
    assertThat(host.core.require("k").status()).isEqualTo(KernelStatus.DEAD);
    host.core.restart("k");
    assertThat(value("k", "'x' in globals()")).isEqualTo("False");
  }

  @Test
  void noTryOfATamperedKernelIsPromoted() throws IOException {
    make("k", "moderate");
    arm("k");
    value("k", "leave_out_in_copies('capset'); x = 1");
    var request = BestOfRequest.of(List.of("x = 2", "x = 3"));
    assertThatThrownBy(() -> host.core.bestOf("k", request, host.caller()))
        .hasMessageContaining("did not become what it was to be");
    assertThat(value("k", "x")).isEqualTo("1");
    assertThat(host.core.list()).hasSize(1);
  }
}
