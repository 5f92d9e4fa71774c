package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.contract.Ran;
import husk.model.Problem;
import husk.spi.CommandSpec;
import husk.spi.Egress;
import husk.store.SandboxRow.Status;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sandboxes by name: their lives, their policy and their events.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SandboxesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Office office;

  SandboxesTest() throws IOException {
    office = new Office(PoolSettings.NONE);
  }

  @AfterEach
  void close() throws IOException {
    office.close();
  }

  private Sandboxes sandboxes() {
    return office.sandboxes;
  }

  private SandboxInfo make(String name) {
    return sandboxes().create(SandboxRequest.named(name), Asker.NOBODY);
  }

  private Ran script(String name, String script) throws IOException {
    return Ran.script(sandboxes().use(name), script);
  }

  @Test
  void nameIsTakenOnce() {
    make("box");
    assertProblem(Problem.Code.SANDBOX_ALREADY_EXISTS, () -> make("box"));
  }

  @Test
  void namesThatAreNoneAreRefused() {
    for (var name : List.of("", "-a", "a-", "a--b", "a b", "../x", "ä", "x".repeat(64))) {
      assertProblem(Problem.Code.INVALID_NAME, () -> make(name));
    }
    assertThat(sandboxes().list(Map.of())).isEmpty();
  }

  @Test
  void limitsThatNothingCouldStartUnderAreRefusedByName() throws IOException {
    for (var least : Map.of("memory_mb", 4L, "processes", 4L, "open_files", 32L).entrySet()) {
      var limit = least.getKey();
      assertThatThrownBy(() -> limited("small", limit, least.getValue() - 1))
          .hasMessageContaining("`" + limit + "` cannot be");
      limited("small", limit, least.getValue());
      assertThat(script("small", "exit 7").end().exitCode()).as(limit).isEqualTo(7);
      sandboxes().remove("small");
    }
  }

  private void limited(String name, String limit, long value) {
    var request = SandboxRequest.named(name).limitedTo(Map.of(limit, value));
    sandboxes().create(request, Asker.NOBODY);
  }

  @Test
  void mountWithoutASourceIsRefused() {
    var asker = new Asker(Optional.of(Path.of("/usr")), Map.of());
    var request = SandboxRequest.named("box").equipped(List.of(":/data"), Map.of());
    assertProblem(Problem.Code.INVALID_REQUEST, () -> sandboxes().create(request, asker));
  }

  private static void assertProblem(
      Problem.Code code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(Problem.class, it -> assertThat(it.code()).isEqualTo(code));
  }

  @Test
  void stopKeepsTheFilesAndStartBringsThemBack() throws IOException {
    make("box");
    script("box", "echo kept > /workspace/f; echo gone > /tmp/f; echo home > ~/f");
    sandboxes().stop("box");
    assertProblem(Problem.Code.SANDBOX_NOT_RUNNING, () -> sandboxes().use("box"));
    sandboxes().start("box");
    sandboxes().start("box");
    assertThat(script("box", "cat /workspace/f ~/f; test -e /tmp/f || echo none").out())
        .isEqualTo("kept\nhome\nnone\n");
  }

  @Test
  void removalLeavesNothingAndIsNoErrorTwice() throws IOException {
    var info = make("box");
    script("box", "mkdir -p d/e; chmod 000 d; ln -s /etc/passwd link");
    assertThat(sandboxes().remove("box")).isTrue();
    assertThat(sandboxes().remove("box")).isFalse();
    assertThat(info.workspace()).doesNotExist();
    assertProblem(Problem.Code.SANDBOX_NOT_FOUND, () -> sandboxes().require("box"));
  }

  @Test
  void anotherProcessFindsItWithItsWayOut() throws IOException {
    make("box");
    try (var command =
        sandboxes().use("box").run(CommandSpec.of("sleep", "1000").named("job").detachedOnce())) {
      assertThat(command.id()).isEqualTo("job");
    }
    office.reopen();
    assertThat(sandboxes().require("box").running()).isTrue();
    assertThat(sandboxes().use("box").commands())
        .singleElement()
        .satisfies(info -> assertThat(info.id()).isEqualTo("job"));
    assertThat(refusal("box", "10.1.2.3")).contains("may not reach");
  }

  private String refusal(String name, String host) throws IOException {
    return script(name, "curl -sS -m 20 http://" + host + "/").out();
  }

  @Test
  void sandboxThatDiesIsSaidToBeStopped() {
    var info = make("box");
    ProcessHandle.of(info.pid()).orElseThrow().destroyForcibly();
    Eventually.until(
        PATIENCE,
        () -> sandboxes().require("box").status() == Status.STOPPED,
        () -> sandboxes().require("box").toString());
    sandboxes().start("box");
    assertThat(sandboxes().require("box").running()).isTrue();
  }

  @Test
  void temporarySandboxGoesWithItsLastCommand() throws IOException {
    var info = sandboxes().create(SandboxRequest.named("once").temporary(30), Asker.NOBODY);
    var ran = Ran.in(sandboxes().use("once"), CommandSpec.of("echo", "hi").asLast());
    assertThat(ran.out()).isEqualTo("hi\n");
    Eventually.until(
        PATIENCE, () -> Files.notExists(info.workspace()), () -> "its files are still there");
    assertThat(sandboxes().list(Map.of())).isEmpty();
  }

  @Test
  void sandboxIsRemovedWhenItsTimeIsOver() {
    sandboxes().create(SandboxRequest.named("short").living(1), Asker.NOBODY);
    Eventually.until(
        PATIENCE, () -> sandboxes().list(Map.of()).isEmpty(), () -> "it is still there");
  }

  @Test
  void refusalsAreEventsWithTheProcessThatAsked() throws IOException {
    make("box");
    assertThat(refusal("box", "169.254.169.254")).contains("Husk: this sandbox may not reach");
    var events = sandboxes().events("box", 0, PATIENCE).lines();
    assertThat(events)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("egress_denied")
                    .contains("169.254.169.254")
                    .contains("\"process\":\"curl\""));
  }

  @Test
  void rulesChangeWhileItRuns() throws Exception {
    try (var server = answering()) {
      var address = "127.0.0.1:" + server.getLocalPort();
      make("box");
      var ask = "curl -sS -m 20 --noproxy '' http://" + address + "/";
      assertThat(script("box", ask).out()).contains("may not reach");
      sandboxes().egress("box", now -> new Egress(now.open(), List.of(address), List.of()));
      assertThat(script("box", ask).out()).isEqualTo("hello");
      sandboxes().egress("box", now -> new Egress(now.open(), List.of(), List.of(address)));
      assertThat(script("box", ask).out()).contains("may not reach");
    }
  }

  /// A web server on the host's loopback that says hello.
  private static ServerSocket answering() throws IOException {
    var server = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    Thread.ofVirtual()
        .start(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  client.getInputStream().read(new byte[4096]);
                  OutputStream out = client.getOutputStream();
                  out.write(
                      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
                          .getBytes(StandardCharsets.US_ASCII));
                  out.flush();
                } catch (IOException closed) {
                  // The loop sees whether it is over.
                }
              }
            });
    return server;
  }

  @Test
  void portInsideIsPublishedOnLoopback() throws Exception {
    var asked = SandboxRequest.named("web").publishing(List.of("8000"));
    var info = sandboxes().create(asked, Asker.NOBODY);
    try (var server =
        sandboxes()
            .use("web")
            .run(CommandSpec.of("python3", "-u", "-m", "http.server", "-b", "127.0.0.1", "8000"))) {
      server.next();
      var port = info.ports().getFirst().host();
      var page =
          java.net.URI.create("http://127.0.0.1:" + port + "/").toURL().openStream().readAllBytes();
      assertThat(page).asString(StandardCharsets.UTF_8).contains("Directory listing");
    }
  }

  @Test
  void labelsSelectAndCollect() {
    var labelled =
        SandboxRequest.named("a").forKernel(Optional.empty(), "0123456789abcdef0123456789abcdef");
    sandboxes().create(labelled, Asker.NOBODY);
    make("b");
    assertThat(sandboxes().list(labelled.labels())).hasSize(1);
    assertThat(sandboxes().collect(labelled.labels(), true)).containsExactly("a");
    assertThat(sandboxes().list(Map.of())).hasSize(2);
    assertThat(sandboxes().collect(labelled.labels(), false)).containsExactly("a");
    sandboxes().stop("b");
    assertThat(sandboxes().collect(Map.of(), false)).containsExactly("b");
  }

  @Test
  void whatNobodyKnowsOfIsRemovedWhenAllIsCleaned() throws IOException {
    office.sandboxes.create(SandboxRequest.named("kept"), Asker.NOBODY);
    var lost = office.home.resolve("f").resolve("0".repeat(32));
    var fresh = office.home.resolve("f").resolve("1".repeat(32));
    var other = office.home.resolve("f").resolve("notes");
    for (var folder : List.of(lost, fresh, other)) {
      Files.createDirectories(folder);
    }
    var old = java.nio.file.attribute.FileTime.from(java.time.Instant.now().minusSeconds(200_000));
    Files.setLastModifiedTime(lost, old);
    Files.setLastModifiedTime(other, old);
    assertThat(office.sandboxes.clean(false, false)).isEmpty();
    assertThat(lost).exists();
    assertThat(office.sandboxes.clean(false, true)).containsExactly("0".repeat(32));
    assertThat(lost).doesNotExist();
    assertThat(fresh).exists();
    assertThat(other).exists();
    assertThat(office.sandboxes.require("kept").running()).isTrue();
  }
}
