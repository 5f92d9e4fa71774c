package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Commands in named sandboxes, and what becomes of those.
final class SandboxExecTest extends SandboxTest {

  @Test
  void filesOutliveAStop() {
    create("box", "--label", "team=a");
    out("exec", "box", "sh", "-c", "echo kept > file; echo home > ~/file");
    out("sandbox", "stop", "box");
    var refused = husk.run("exec", "box", "true");
    assertThat(refused.exit()).isEqualTo(125);
    assertThat(refused.err()).contains("husk sandbox start box");
    out("sandbox", "start", "box");
    out("sandbox", "start", "box");
    assertThat(out("exec", "box", "sh", "-c", "cat file ~/file")).isEqualTo("kept\nhome\n");
    assertThat(out("sandbox", "list", "-l", "team=a", "--names")).isEqualTo("box\n");
    assertThat(out("sandbox", "list", "-l", "team=b", "--names")).isEmpty();
    assertThat(out("sandbox", "info", "box")).contains("box", "running");
    out("sandbox", "remove", "box", "never-there");
    assertThat(husk.run("sandbox", "info", "box").exit()).isEqualTo(3);
  }

  @Test
  void aNameThatIsTakenIsAConflict() {
    create("box");
    assertThat(husk.run("sandbox", "create", "box").exit()).isEqualTo(5);
    assertThat(husk.run("sandbox", "create", "../evil").exit()).isEqualTo(6);
  }

  @Test
  void codeAndCommandsAreToldApart() {
    create("box");
    assertThat(out("exec", "box", "-e", "A=b c", "-w", "/tmp", "--", "sh", "-c", "echo $A; pwd"))
        .isEqualTo("b c\n/tmp\n");
    assertThat(husk.run("exec", "--name", "k", "6 * 7").json().path("return_value").asString())
        .isEqualTo("42");
    var alone = husk.run("exec", "box");
    assertThat(alone.exit()).isEqualTo(2);
    assertThat(alone.err()).contains("'box' is a sandbox");
  }

  @Test
  void detachedCommandsAreFoundByOtherProcesses() {
    create("box");
    var started = husk.run("exec", "box", "-d", "sh", "-c", "echo 'a  b'; echo e >&2; sleep 300");
    assertThat(started.json().path("status").asString()).as(started.err()).isEqualTo("running");
    var id = started.json().path("id").asString();
    Eventually.until(
        Duration.ofSeconds(60),
        () -> out("exec-logs", "box", id).equals("a  b\n"),
        () -> "its output does not come");
    assertThat(out("exec-logs", "box", id, "--stderr")).isEqualTo("e\n");
    out("exec-kill", "box", id);
    assertThat(husk.run("exec-logs", "box", id, "-f").exit()).isEqualTo(143);
    var list = husk.run("sb", "exec-list", "box").json();
    assertThat(list.path(0).path("status").asString()).isEqualTo("failed");
    assertThat(list.path(0).path("command").path(2).asString()).startsWith("echo 'a  b'");
  }

  @Test
  void aSandboxLivesThroughTheEndOfTheDaemon() {
    create("box");
    out("exec", "box", "sh", "-c", "echo kept > /tmp/file");
    ProcessHandle.of(husk.daemonPid()).orElseThrow().destroyForcibly();
    assertThat(out("exec", "box", "cat", "/tmp/file")).isEqualTo("kept\n");
  }

  @Test
  void refusedConnectionsAreEvents() {
    create("box", "--allow", "allowed.invalid");
    husk.run(
        "exec",
        "box",
        "bash",
        "-c",
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT no.invalid:443"
            + " HTTP/1.1\\r\\nHost: no.invalid:443\\r\\n\\r\\n' >&3; head -1 <&3");
    Eventually.until(
        Duration.ofSeconds(60),
        () -> out("sandbox", "events", "box").contains("no.invalid"),
        () -> "no event: " + out("sandbox", "events", "box"));
    out("sandbox", "allow", "box", "more.invalid");
    assertThat(out("sandbox", "info", "box")).contains("more.invalid");
    out("sandbox", "forget-rule", "box", "more.invalid");
    assertThat(out("sandbox", "info", "box")).doesNotContain("more.invalid");
  }

  @Test
  void expiredAndStoppedSandboxesAreCollected() {
    create("stays", "--ttl", "1h");
    create("stopped");
    out("sandbox", "stop", "stopped");
    assertThat(out("sandbox", "extend-ttl", "stays", "--by", "2d")).contains("20");
    assertThat(out("sandbox", "clean")).contains("stopped").doesNotContain("stays");
    create("labelled", "-l", "run=1");
    assertThat(out("sandbox", "gc", "--dry-run", "-l", "run=1"))
        .contains("Would remove 1", "labelled");
    assertThat(out("sandbox", "gc", "-l", "run=1")).contains("Removed 1");
    assertThat(out("sandbox", "list", "--names")).isEqualTo("stays\n");
  }
}
