package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Copies of kernels and ways back, from the command line, with kernels in sandboxes of their own.
final class LiveStateTest extends SandboxTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @BeforeEach
  void makeAKernelWithAFile() {
    husk.environment.remove("HUSK_BACKEND");
    value("demo", "x = 1; n = open('f', 'w').write('one')");
  }

  private String value(String kernel, String code) {
    var result = husk.run("exec", "--name", kernel, code);
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    return result.json().path("return_value").asString("");
  }

  private String state(String kernel) {
    return value(kernel, "x, open('f').read()");
  }

  @Test
  void aForkHasVariablesAndFilesOfItsOwn() {
    var forked = husk.run("fork", "demo", "--as", "other");
    assertThat(forked.exit()).as(forked.err()).isZero();
    assertThat(forked.json().path("kernels").get(0).path("name").asString("")).isEqualTo("other");

    value("other", "x = 2; n = open('f', 'w').write('two')");

    assertThat(state("other")).isEqualTo("(2, 'two')");
    assertThat(state("demo")).isEqualTo("(1, 'one')");
    assertThat(husk.run("list", "--tree").out()).contains("\ndemo ").contains("\n└─ other ");
    assertThat(husk.run("fork", "demo", "--as", "other").exit()).isEqualTo(5);
    assertThat(husk.run("promote", "demo", "other").exit()).isZero();
    assertThat(state("demo")).isEqualTo("(2, 'two')");
  }

  @Test
  void aKernelGoesBackWithItsFiles() {
    assertThat(husk.run("checkpoint", "demo", "--label", "clean").exit()).isZero();
    value("demo", "x = 2; n = open('f', 'w').write('two')");

    var back = husk.run("rollback", "demo", "--to", "clean");

    assertThat(back.exit()).as(back.err()).isZero();
    assertThat(state("demo")).isEqualTo("(1, 'one')");
    assertThat(husk.run("checkpoints", "demo", "--table").out()).contains("clean");
    assertThat(husk.run("checkpoint-drop", "demo", "clean").exit()).isZero();
    assertThat(husk.run("rollback", "demo").exit()).isEqualTo(3);
  }

  @Test
  void codeThatFailsLeavesNoTraceIfAskedTo() {
    var failed =
        husk.run("exec", "--name", "demo", "--rollback", "on_error", "x = 2; open('f', 'w'); 1/0");

    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.json().path("rolled_back").asBoolean()).isTrue();
    assertThat(state("demo")).isEqualTo("(1, 'one')");
  }

  @Test
  void whatHasChangedIsShown() {
    assertThat(husk.run("checkpoint", "demo", "--label", "clean").exit()).isZero();
    value("demo", "x = 2; n = open('f', 'w').write('two'); open('new', 'w').close()");

    var diff = husk.run("diff", "demo", "--checkpoint", "clean");

    assertThat(diff.exit()).as(diff.err()).isZero();
    assertThat(diff.json().at("/variables/changed/0/name").asString("")).isEqualTo("x");
    assertThat(diff.json().at("/files/added/0").asString("")).isEqualTo("/workspace/new");
    assertThat(diff.json().at("/files/changed/0").asString("")).isEqualTo("/workspace/f");
    assertThat(husk.run("diff", "demo", "--with", "nobody").exit()).isEqualTo(3);
    assertThat(husk.run("checkpoint-drop", "demo", "clean").exit()).isZero();
  }

  @Test
  void aPreviewShowsWhatItDidAndWaitsForADecision() {
    var code =
        "import subprocess; x = 2; n = open('f', 'w').write('two'); subprocess.run(['true'])";
    var preview = husk.run("exec", "--name", "demo", "--preview", code);

    assertThat(preview.exit()).as(preview.err()).isZero();
    var effects = preview.json().path("effects");
    assertThat(effects.at("/files/changed/0").asString("")).isEqualTo("/workspace/f");
    assertThat(effects.at("/processes/0/argv/0").asString("")).isEqualTo("true");
    assertThat(effects.path("hosts").isArray()).isTrue();
    assertThat(preview.err()).contains("husk discard demo");
    assertThat(husk.run("exec", "--name", "demo", "--preview", "1").exit()).isEqualTo(5);
    assertThat(husk.run("discard", "demo").exit()).isZero();
    assertThat(state("demo")).isEqualTo("(1, 'one')");

    husk.run("exec", "--name", "demo", "--preview", "--discard", "x = 3");
    assertThat(state("demo")).isEqualTo("(1, 'one')");
    husk.run("exec", "--name", "demo", "--preview", "--keep", "x = 4");
    assertThat(state("demo")).isEqualTo("(4, 'one')");
    assertThat(husk.run("keep", "demo").exit()).isEqualTo(3);
  }

  @Test
  void theBestOfSeveralFilesIsKept() {
    write("broken.py", "x = 1 / 0");
    write("poor.py", "x = 5; n = open('f', 'w').write('poor')");
    write("good.py", "x = 9; n = open('f', 'w').write('good')");

    var best = husk.run("best-of", "demo", "broken.py", "poor.py", "good.py", "--score", "x");

    assertThat(best.exit()).as(best.err()).isZero();
    assertThat(best.json().path("winner").asInt()).isEqualTo(2);
    assertThat(state("demo")).isEqualTo("(9, 'good')");
    assertThat(husk.run("best-of", "demo", "broken.py").exit()).isEqualTo(1);
    assertThat(state("demo")).isEqualTo("(9, 'good')");
  }

  @Test
  void triesOfADaemonThatIsKilledEndWithIt() {
    write("slow.py", "import time; time.sleep(600)");
    var trying = husk.start("best-of", "demo", "slow.py", "slow.py");
    Eventually.until(PATIENCE, () -> kernels() == 3, () -> husk.run("list").out());

    ProcessHandle.of(husk.daemonPid()).orElseThrow().destroyForcibly();

    assertThat(HuskCommand.finish(trying, "").exit()).isNotZero();
    Eventually.until(PATIENCE, () -> kernels() == 1, () -> husk.run("list").out());
    assertThat(state("demo")).isEqualTo("(1, 'one')");
    assertThat(out("sandbox", "list", "--names").lines()).hasSize(1);
  }

  @Test
  void aPreviewWhoseDaemonIsKilledIsToldByTheNext() {
    var effects = afterAKill("y = 5; open('g', 'w').write('new')", "--preview").path("effects");

    assertThat(effects.path("variables").path("added").get(0).path("name").asString(""))
        .isEqualTo("y");
    assertThat(effects.path("files").path("added").get(0).asString("")).isEqualTo("/workspace/g");
    assertThat(husk.run("discard", "demo").exit()).isZero();
    assertThat(value("demo", "'y' in globals()")).isEqualTo("False");
  }

  @Test
  void aTransactionWhoseDaemonIsKilledIsTakenBackByTheNext() {
    var code = "x = 2; n = open('f', 'w').write('two'); 1 / 0";

    var result = afterAKill(code, "--rollback", "on_error");

    assertThat(result.path("rolled_back").asBoolean()).isTrue();
    assertThat(state("demo")).isEqualTo("(1, 'one')");
    assertThat(husk.run("checkpoints", "demo").json().path("checkpoints")).isEmpty();
  }

  /// The result of code that goes on when the daemon that it was sent to is gone.
  private JsonNode afterAKill(String code, String... options) {
    var waiting = "__import__('time').sleep(3)\n";
    var command = new ArrayList<>(List.of("exec", "--name", "demo"));
    command.addAll(List.of(options));
    command.add(waiting + code);
    int before = executions();
    var running = husk.start(command.toArray(String[]::new));
    Eventually.until(PATIENCE, () -> executions() > before, () -> husk.run("list").out());
    ProcessHandle.of(husk.daemonPid()).orElseThrow().destroyForcibly();
    return HuskCommand.finish(running, "").json();
  }

  private int executions() {
    return husk.run("executions", "--name", "demo").json().path("executions").size();
  }

  private int kernels() {
    return husk.run("list").json().path("kernels").size();
  }

  @Test
  void whatACopyWouldLackIsRefusedByNameUnlessToldToProceed() {
    value(
        "demo",
        "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True,"
            + " name='pump').start()");

    var refused = husk.run("fork", "demo", "--as", "other");

    assertThat(refused.exit()).isEqualTo(5);
    assertThat(refused.errorJson().path("code").asString("")).isEqualTo("copy_refused");
    assertThat(refused.errorJson().path("message").asString("")).contains("pump");
    var forked = husk.run("fork", "demo", "--as", "other", "--proceed");
    assertThat(forked.exit()).isZero();
    assertThat(forked.json().path("hazards").get(0).path("name").asString("")).contains("pump");
    assertThat(state("other")).isEqualTo("(1, 'one')");
  }
}
