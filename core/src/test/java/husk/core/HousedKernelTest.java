package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelPlace;
import husk.model.KernelRecord;
import husk.model.Language;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.sandboxes.SandboxRequest;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels that live in sandboxes: still whole kernels, and shut in.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousedKernelTest {
  private static final KernelPlace OWN =
      new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty());

  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.core.sandboxes().clean(true);
    host.close();
  }

  private KernelRecord make(String name, KernelPlace place) {
    return host.core.create(Optional.of(name), host.options().at(place), host.caller());
  }

  private ExecutionResult run(String code) {
    return host.core.execute(
        "k",
        ExecuteRequest.of(code),
        Optional.empty(),
        host.caller(),
        ExecutionEvent.Listener.NONE);
  }

  private String value(String code) {
    var result = run(code);
    assertThat(result.ok()).as(result.toString()).isTrue();
    return result.returnValue().orElse("");
  }

  @Test
  void kernelHasASandboxOfItsOwnUnderTheModerateProfile() {
    assertThat(make("k", OWN).backend()).isEqualTo("bubblewrap");
    assertThat(value("1 + 1")).isEqualTo("2");
    assertThat(value("import os; os.getcwd(), os.getuid()")).isEqualTo("('/workspace', 1000)");
    var sandboxes = host.core.sandboxes().list(Map.of());
    assertThat(sandboxes)
        .singleElement()
        .satisfies(info -> assertThat(info.spec().profile().wireName()).isEqualTo("moderate"));
  }

  @Test
  void kernelSeesNothingOfTheMachinesUsers() throws IOException {
    Files.writeString(host.home.resolve("canary"), "secret");
    make("k", OWN);
    assertThat(value("import os; os.path.exists('" + host.home.resolve("canary") + "')"))
        .isEqualTo("False");
    assertThat(value("os.path.exists('/etc/shadow'), os.path.exists('/home/user')"))
        .isEqualTo("(False, False)");
    assertThat(value("sorted(p for p in os.listdir('/proc') if p.isdigit()).__len__() < 6"))
        .isEqualTo("True");
    assertThat(value("[n for n in os.environ if n.startswith('HUSK_') and n.endswith('PYTHON')]"))
        .isEqualTo("[]");
  }

  @Test
  void kernelCannotReachHusksOwnSockets() {
    make("k", OWN);
    var code =
        """
        import socket
        found = []
        for path in %s:
            try:
                socket.socket(socket.AF_UNIX).connect(path)
                found.append(path)
            except OSError:
                pass
        found
        """
            .formatted(
                "['"
                    + host.places.runtime().resolve("daemon.sock")
                    + "', '"
                    + host.core.require("k").connectionFile()
                    + "']");
    assertThat(value(code)).isEqualTo("[]");
  }

  @Test
  void filesOutliveARestartAndGoWithTheKernel() {
    make("k", OWN);
    value("open('/workspace/f', 'w').write('kept')");
    host.core.restart("k");
    assertThat(value("open('/workspace/f').read()")).isEqualTo("'kept'");
    var workspace = host.core.sandboxes().list(Map.of()).getFirst().workspace();
    host.core.destroy("k");
    assertThat(workspace).doesNotExist();
    assertThat(host.core.sandboxes().list(Map.of())).isEmpty();
  }

  @Test
  void shellCommandsRunInsideToo() {
    make("k", OWN);
    var result =
        host.core.execute(
            "k",
            ExecuteRequest.of("id -u; pwd").in(Language.BASH),
            Optional.empty(),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.output()).isEqualTo("1000\n/workspace\n");
  }

  @Test
  void lateCellIsInterruptedAndTheKernelGoesOn() {
    make("k", OWN);
    value("x = 7");
    var result =
        host.core.execute(
            "k",
            ExecuteRequest.of("import time; print('began'); time.sleep(600)")
                .within(Duration.ofMillis(500)),
            Optional.empty(),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(value("x")).isEqualTo("7");
  }

  @Test
  void memoryHogIsKilledAndItsNameLivesOn() {
    make("k", OWN);
    var result = run("x = bytearray(900 << 20); len(x)");
    assertThat(result.status()).isEqualTo(ResultStatus.DIED);
    assertThat(result.death().orElseThrow().cause().wireName()).isEqualTo("out_of_memory");
    assertThat(value("1")).isEqualTo("1");
  }

  @Test
  void kernelsShareASandboxThatIsNamed() {
    host.core.createSandbox(SandboxRequest.named("shared"), host.caller());
    var shared = new KernelPlace(Optional.empty(), Optional.of("shared"), Optional.empty());
    make("k", shared);
    value("open('/workspace/f', 'w').write('one')");
    host.core.create(Optional.of("l"), host.options().at(shared), host.caller());
    var result =
        host.core.execute(
            "l",
            ExecuteRequest.of("open('/workspace/f').read()"),
            Optional.empty(),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.returnValue()).contains("'one'");
    host.core.destroy("k");
    host.core.destroy("l");
    assertThat(host.core.sandboxes().require("shared").running()).isTrue();
  }

  @Test
  void whatCannotBeHonouredIsRefused() {
    var both = new KernelPlace(Optional.of("host"), Optional.of("s"), Optional.empty());
    assertThatThrownBy(() -> make("k", both)).isInstanceOf(Problem.class);
    var walls = new KernelPlace(Optional.of("host"), Optional.empty(), Optional.of("moderate"));
    assertThatThrownBy(() -> make("k", walls)).isInstanceOf(Problem.class);
    var unknown = new KernelPlace(Optional.of("moon"), Optional.empty(), Optional.empty());
    assertThatThrownBy(() -> make("k", unknown)).isInstanceOf(Problem.class);
    var profile = new KernelPlace(Optional.empty(), Optional.empty(), Optional.of("lax"));
    host.variables.remove("HUSK_BACKEND");
    assertThatThrownBy(() -> make("k", profile)).isInstanceOf(Problem.class);
    assertThat(host.core.list()).isEmpty();
    assertThat(host.core.sandboxes().list(Map.of())).isEmpty();
  }
}
