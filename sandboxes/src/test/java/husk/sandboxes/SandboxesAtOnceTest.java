package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.contract.Ran;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What several do to one sandbox at once, and what each saw of it before the others came.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SandboxesAtOnceTest {
  private final Office office;

  SandboxesAtOnceTest() throws IOException {
    office = new Office(PoolSettings.NONE);
  }

  @AfterEach
  void close() throws IOException {
    office.close();
  }

  private Sandboxes sandboxes() {
    return office.sandboxes;
  }

  private SandboxInfo make(SandboxRequest request) {
    return sandboxes().create(request, Asker.NOBODY);
  }

  private SandboxRow row(String name) {
    return office.registry.sandboxes().find(name).orElseThrow();
  }

  @Test
  void sandboxThatDiedIsStoppedAndStartsAgain() {
    var pid = make(SandboxRequest.named("box")).pid();
    for (int life = 0; life < 5; life++) {
      var first = ProcessHandle.of(pid).orElseThrow();
      first.destroyForcibly();
      first.onExit().join();
      sandboxes().stop("box");
      pid = sandboxes().start("box").pid();
    }
    assertThat(sandboxes().require("box").running()).isTrue();
  }

  @Test
  void whoeverSawAnEarlierLifeOfItDoesNotEndThisOne() throws IOException {
    make(SandboxRequest.named("box"));
    var seen = row("box");
    sandboxes().stop("box");
    sandboxes().start("box");
    try (var elsewhere = office.elsewhere()) {
      assertThat(elsewhere.live(seen)).isPresent();
    }
    assertThat(Ran.script(sandboxes().use("box"), "echo alive").out()).isEqualTo("alive\n");
  }

  @Test
  void startThatFailsLeavesItStopped() throws IOException {
    var info = make(SandboxRequest.named("box"));
    sandboxes().stop("box");
    var inTheWay = Files.createFile(office.home.resolve("s").resolve(info.id()));
    assertThatThrownBy(() -> sandboxes().start("box")).isInstanceOf(RuntimeException.class);
    assertThat(sandboxes().require("box").status()).isEqualTo(Status.STOPPED);
    Files.delete(inTheWay);
    assertThat(sandboxes().start("box").running()).isTrue();
  }

  @Test
  void sandboxWhoseStarterWasKilledEndsAndStartsAgain() throws Exception {
    var orphan = ProcessHandle.of(make(SandboxRequest.named("box")).pid()).orElseThrow();
    // As it is when a daemon is killed after it has launched a sandbox and before it has noted so.
    killedWhileStarting("box");
    office.reopen();
    assertThat(sandboxes().require("box").status()).isEqualTo(Status.STOPPED);
    assertThat(orphan.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    assertThat(sandboxes().start("box").running()).isTrue();
  }

  @Test
  void sandboxForOneCommandWhoseStarterWasKilledIsGone() throws Exception {
    make(SandboxRequest.named("once").temporary(30));
    killedWhileStarting("once");
    office.reopen();
    assertThat(sandboxes().list(Map.of())).isEmpty();
  }

  private void killedWhileStarting(String name) throws Exception {
    sandboxes().close();
    var dead = new ProcessBuilder("true").start();
    dead.waitFor();
    startedBy(name, dead.pid(), 1);
  }

  @Test
  void whoeverWaitsForAnothersStartStartsItWhenThatOneDies() throws Exception {
    make(SandboxRequest.named("box"));
    sandboxes().stop("box");
    var starter = new ProcessBuilder("sleep", "100").start();
    startedBy("box", starter.pid(), Self.startTime(starter.pid()));
    var waiting = CompletableFuture.supplyAsync(() -> sandboxes().start("box"));
    assertThat(waiting).isNotDone();
    starter.destroyForcibly().waitFor();
    assertThat(waiting.get(60, TimeUnit.SECONDS).running()).isTrue();
  }

  /// As a daemon that was killed is, until whoever started it looks.
  @Test
  void starterThatNobodyHasBuriedIsDead() throws Exception {
    var parent = new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 100").start();
    try (var said = parent.inputReader(StandardCharsets.UTF_8)) {
      long zombie = Long.parseLong(String.valueOf(said.readLine()));
      Eventually.until(
          Duration.ofSeconds(30), () -> Self.startTime(zombie) == 0, () -> "still counted");
    } finally {
      parent.destroyForcibly().waitFor();
    }
  }

  private void startedBy(String name, long pid, long startTime) {
    office
        .registry
        .sandboxes()
        .update(row(name).id(), now -> now.withProcess(Status.STARTING, pid, startTime));
  }

  @Test
  void whatIsToldOfARemovedSandboxLeavesNothing() throws IOException {
    var info = make(SandboxRequest.named("box"));
    var seen = row("box");
    sandboxes().remove("box");
    try (var elsewhere = office.elsewhere()) {
      elsewhere.created(seen, Map.of());
      elsewhere.happened(seen, "policy_changed", Map.of());
    }
    assertThat(office.home.resolve("f").resolve(info.id())).doesNotExist();
  }

  @Test
  void portThatSomebodyTookMeanwhileTakesNoRuleWithIt() throws IOException {
    int port = freePort();
    make(SandboxRequest.named("box").publishing(List.of(port + ":80")));
    sandboxes().close();
    try (var other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(other.isBound()).isTrue();
      office.reopen();
      try (var watch = sandboxes().watchEgress("box").orElseThrow()) {
        assertThat(watch).isNotNull();
      }
      assertThat(sandboxes().require("box").ports()).isEmpty();
      assertThat(sandboxes().events("box", 0, Duration.ZERO).lines())
          .anyMatch(line -> line.contains("port_unavailable"));
    }
  }

  private static int freePort() throws IOException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return server.getLocalPort();
    }
  }
}
