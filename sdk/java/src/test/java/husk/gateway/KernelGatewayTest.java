package husk.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.examples.GatewayDemo;
import husk.kernels.ProcFs;
import husk.model.KernelProcess;
import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// How a gateway starts and ends.
@ExtendWith(LeakDetector.class)
class KernelGatewayTest {
  private TempHome home;

  @BeforeEach
  void makeHome() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void removeHome() throws IOException {
    home.close();
  }

  private KernelGatewayBuilder builder() {
    return Gateways.builder(home).port(0);
  }

  private static KernelClient clientOf(KernelGateway gateway) {
    return KernelClient.builder().host(gateway.host()).port(gateway.port()).connect();
  }

  private static void assertProblem(Problem.Code code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.code()).isEqualTo(code));
  }

  private static boolean alive(String pid) {
    return ProcFs.alive(new KernelProcess(Long.parseLong(pid), 0));
  }

  @Test
  void exampleOfTheDocumentationWorks() {
    assertThat(HuskGatewayTest.printed(out -> GatewayDemo.gateway(this::builder, out)))
        .isEqualTo("42\n");
  }

  @Test
  void startingTwiceIsRefusedAndStoppingTwiceIsNot() {
    try (var gateway = builder().start()) {
      assertProblem(Problem.Code.USAGE, gateway::start);
      assertThat(gateway.isRunning()).isTrue();
      gateway.stop();
      assertThat(gateway.isRunning()).isFalse();
      assertProblem(Problem.Code.USAGE, gateway::url);
      gateway.stop();
      gateway.start();
      assertThat(gateway.isRunning()).isTrue();
    }
  }

  @Test
  void joinReturnsWhenItHasEnded() {
    var gateway = builder().start();
    var joined = CompletableFuture.runAsync(gateway::join);
    assertThat(joined).isNotDone();

    gateway.stop();

    joined.join();
  }

  @Test
  void stoppingEndsKernelsAndEverythingTheyStarted() {
    var gateway = builder().start();
    try (var client = clientOf(gateway)) {
      var pids = started(client);

      gateway.stop();

      assertThat(pids).noneMatch(KernelGatewayTest::alive);
    }
  }

  @Test
  void gatewayThatDoesNotEndInTimeIsKilledWithEverythingItStarted() {
    var gateway = builder().start();
    try (var client = clientOf(gateway)) {
      var pids = started(client);

      gateway.stop(Duration.ZERO);

      assertThat(pids).noneMatch(KernelGatewayTest::alive);
    }
  }

  @Test
  void whatAKilledGatewayLeftIsEndedToo() {
    var gateway = builder().start();
    try (var client = clientOf(gateway)) {
      var pids = started(client);
      assertThat(gateway.process().destroyForcibly()).isTrue();
      gateway.join();

      gateway.stop();

      assertThat(pids).noneMatch(KernelGatewayTest::alive);
    }
  }

  /// The pids of a kernel, of a child of it, and of one that has left the family.
  private static List<String> started(KernelClient client) {
    return client
        .execute(
            "import os, subprocess\n"
                + "child = subprocess.Popen(['sleep', '600'])\n"
                + "orphan = subprocess.check_output('setsid sleep 600 >/dev/null & echo $!',"
                + " shell=True, text=True)\n"
                + "print(os.getpid(), child.pid, int(orphan))")
        .stdout()
        .strip()
        .lines()
        .flatMap(line -> List.of(line.split(" ", -1)).stream())
        .toList();
  }

  @Test
  void nothingOfItIsLeftInTheFileSystem() throws IOException {
    var before = gatewayHomes();
    try (var gateway = builder().start();
        var client = clientOf(gateway)) {
      client.execute("1");
      assertThat(gatewayHomes()).hasSizeGreaterThan(before.size());
    }
    assertThat(gatewayHomes()).isEqualTo(before);
  }

  private static List<Path> gatewayHomes() throws IOException {
    try (var entries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return entries.filter(it -> it.getFileName().toString().startsWith("husk-gateway-")).toList();
    }
  }

  @Test
  void kernelsOfASandboxedGatewayAreShutIn() {
    try (var gateway = builder().sandbox(true).start();
        var client = clientOf(gateway)) {
      var seen = "import os; os.getcwd(), os.getuid(), os.path.exists('" + home.path() + "')";
      assertThat(client.execute(seen).text()).contains("('/workspace', 1000, False)");
    }
  }

  @Test
  void rulesOfASandboxedGatewayAreHeld() throws IOException {
    Files.writeString(home.resolve("secret"), "x");
    Files.createDirectory(home.resolve("out"));
    Files.writeString(
        home.resolve("rules.json"),
        """
        {"network": {"allowedDomains": [], "deniedDomains": []},
         "filesystem": {"denyRead": ["%s"], "allowWrite": ["%s"], "denyWrite": []}}
        """
            .formatted(home.resolve("secret"), home.resolve("out")));
    try (var gateway = builder().sandbox(true).sandboxConfig(home.resolve("rules.json")).start();
        var client = clientOf(gateway)) {
      client.execute("open('" + home.resolve("out/f") + "', 'w').write('kept')");
      assertThat(home.resolve("out/f")).hasContent("kept");
      assertThatThrownBy(() -> client.execute("open('" + home.resolve("secret") + "').read()"))
          .isInstanceOf(ExecutionError.class);
      assertThat(client.execute("import os; 'HTTP_PROXY' in os.environ").text()).contains("False");
    }
  }

  @Test
  void sandboxConfigThatIsWrongIsRefusedAndNothingIsStarted() throws IOException {
    Files.writeString(home.resolve("rules.json"), "{\"network\": {}, \"surprise\": 1}");
    assertProblem(
        Problem.Code.INVALID_SETTING,
        () -> builder().sandbox(true).sandboxConfig(Path.of("missing.json")).start());
    assertProblem(
        Problem.Code.INVALID_SETTING,
        () -> builder().sandbox(true).sandboxConfig(home.resolve("rules.json")).start());
    assertProblem(
        Problem.Code.INVALID_REQUEST, () -> builder().sandboxConfig(Path.of("x.json")).start());
  }

  @Test
  void portInUseIsReportedAndNothingIsLeft() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertProblem(
          Problem.Code.ADDRESS_UNAVAILABLE,
          () -> Gateways.builder(home).host("127.0.0.1").port(taken.getLocalPort()).start());
    }
  }

  @Test
  void addressThatOthersReachNeedsAKey() {
    assertProblem(Problem.Code.FORBIDDEN, () -> builder().host("0.0.0.0").start());
  }

  @Test
  void logLevelMustBeOne() {
    assertProblem(Problem.Code.INVALID_REQUEST, () -> builder().logLevel("LOUD").start());
  }

  @Test
  void logIsPrintedFromItsLevelOn() {
    var original = System.err;
    var printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      builder().logToStderr(true).logLevel("ERROR").start().close();
      assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("serving");
      var gateway = builder().logToStderr(true).start();
      Eventually.until(
          Duration.ofSeconds(30),
          () -> printed.toString(StandardCharsets.UTF_8).contains("serving"),
          () -> "nothing was printed");
      gateway.close();
    } finally {
      System.setErr(original);
    }
  }

  @Test
  void installationThatIsNotThereIsReported() {
    assertProblem(
        Problem.Code.DAEMON_UNAVAILABLE,
        () ->
            builder()
                .options(Gateways.options(home).with("HUSK_DIST", home.resolve("no").toString()))
                .start());
  }

  @Test
  void variablesThatCannotBeAreRefusedWhenAKernelIsMade() {
    try (var gateway = builder().env(Map.of("A=B", "x")).start();
        var client = KernelClient.builder().host(gateway.host()).port(gateway.port()).build()) {
      assertThatThrownBy(client::connect).isInstanceOf(Problem.class).hasMessageContaining("A=B");
    }
  }
}
