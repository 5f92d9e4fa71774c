package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Ready sandboxes: given away once, and no different from others.
@ExtendWith(LeakDetector.class)
final class PoolTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Office office;

  PoolTest() throws IOException {
    office = new Office(new PoolSettings(2, Duration.ofMinutes(5)));
  }

  @AfterEach
  void close() throws IOException {
    office.close();
  }

  private List<SandboxRow> ready() {
    return office.registry.sandboxes().list().stream()
        .filter(row -> row.status() == Status.READY)
        .toList();
  }

  private SandboxInfo make(String name) {
    return office.sandboxes.create(SandboxRequest.named(name), Asker.NOBODY);
  }

  private void filled() {
    Eventually.until(PATIENCE, () -> ready().size() == 2, () -> "ready: " + ready());
  }

  @Test
  void nothingIsKeptReadyBeforeSomebodyAsks() throws InterruptedException {
    Thread.sleep(700);
    assertThat(ready()).isEmpty();
  }

  @Test
  void eachIsGivenAwayOnce() {
    make("first");
    filled();
    var waiting = new HashSet<>(ready().stream().map(SandboxRow::id).toList());
    var given = Set.of(make("second").id(), make("third").id());
    assertThat(given).isEqualTo(waiting);
    office.sandboxes.remove("second");
    filled();
    assertThat(ready()).noneMatch(row -> waiting.contains(row.id()));
  }

  @Test
  void readyOnesOfAFamilyAreGivenToThatFamilyAndEndWithIt() {
    make("original");
    filled();
    office.sandboxes.createBeside("original", SandboxRequest.named("first"));
    Eventually.until(PATIENCE, () -> ready().size() == 4, () -> "ready: " + ready());
    var waiting = ready().stream().map(SandboxRow::id).toList();
    var second = office.sandboxes.createBeside("original", SandboxRequest.named("second"));
    assertThat(waiting).contains(second.id());
    assertThat(family("second")).isEqualTo(family("first")).isEqualTo(family("original"));
    make("other");
    assertThat(family("other")).isNotEqualTo(family("original"));
    List.of("original", "first", "second").forEach(office.sandboxes::remove);
    filled();
  }

  private long family(String name) {
    return office.sandboxes.use(name).tenancy().orElseThrow().family();
  }

  @Test
  void readyOneIsAsAFreshOneIs() throws IOException {
    make("cold");
    filled();
    make("warm");
    var look =
        "id; cat /proc/self/status | grep -E '^(Cap|NoNew|Seccomp)'; ulimit -a; ls -la / /workspace"
            + " /tmp /home | sed -E 's/ [A-Z][a-z]{2} +[0-9]+ [0-9:]+ / /; s/ +[0-9]+ nobody/"
            + " nobody/'; env | sort; mount | sort | sed -E"
            + " 's/(size|nr_inodes|uid|gid)=[0-9a-z]+//g; s,/[0-9a-f]{32}/,/ID/,g'";
    var cold = Ran.script(office.sandboxes.use("cold"), look);
    var warm = Ran.script(office.sandboxes.use("warm"), look);
    assertThat(warm.out()).isEqualTo(cold.out()).contains("uid=1000");
    assertThat(office.sandboxes.require("warm").spec())
        .isEqualTo(office.sandboxes.require("cold").spec());
    assertThat(office.sandboxes.require("warm").limitsHeldBy())
        .isEqualTo(office.sandboxes.require("cold").limitsHeldBy());
  }

  @Test
  void thoseThatWaitEndWithWhoeverKeptThem() {
    make("one");
    filled();
    office.reopen();
    assertThat(ready()).isEmpty();
    assertThat(office.sandboxes.list(Map.of())).hasSize(1);
  }

  @Test
  void oneThatDiedWhileItWaitedIsNotGivenAway() {
    make("first");
    filled();
    var dead = ready().getFirst();
    ProcessHandle.of(dead.pid()).ifPresent(ProcessHandle::destroyForcibly);
    Eventually.until(PATIENCE, () -> Self.startTime(dead.pid()) == 0, () -> "it lives");
    assertThat(make("second").id()).isNotEqualTo(dead.id());
    assertThat(office.registry.sandboxes().find(dead.id())).isEmpty();
  }

  @Test
  void takenOneIsEmptyOfWhatOthersLeft() throws IOException {
    make("first");
    filled();
    Ran.script(office.sandboxes.use("first"), "touch /workspace/left /tmp/left ~/left");
    make("second");
    var seen =
        Ran.script(office.sandboxes.use("second"), "ls -A /workspace /tmp ~ | grep left || true");
    assertThat(seen.out()).isEmpty();
  }

  @Test
  void anotherSpecificationIsNotServedFromThePool() {
    make("first");
    filled();
    var waiting = ready().stream().map(SandboxRow::id).toList();
    var other =
        SandboxRequest.named("other").forKernel(java.util.Optional.of("restrictive"), "none");
    var made = office.sandboxes.create(other, Asker.NOBODY);
    assertThat(waiting).doesNotContain(made.id());
    assertThat(made.spec().profile().wireName()).isEqualTo("restrictive");
  }

  @Test
  void nameThatIsTakenCostsAReadySandboxAndLeavesNothing() {
    make("first");
    filled();
    var before = ready().stream().map(SandboxRow::id).toList();
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> make("first"))
        .isInstanceOf(husk.model.Problem.class)
        .hasMessageContaining("exists already");
    filled();
    assertThat(office.sandboxes.list(Map.of())).hasSize(1);
    assertThat(before).isNotEmpty();
  }
}
