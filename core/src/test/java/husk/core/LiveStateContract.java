package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.kernels.ProcFs;
import husk.model.BestOfRequest;
import husk.model.ExecuteRequest;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.model.Rollback;
import husk.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What forks, checkpoints and rollbacks do, wherever the kernel lives.
abstract class LiveStateContract extends LiveFixture {
  void fork(String kernel, String... names) {
    host.core.fork(
        kernel, List.of(names).stream().map(Optional::of).toList(), false, host.caller());
  }

  @Test
  void forkHasTheVariablesAndGoesItsOwnWay() {
    make("a");
    value("a", "x = [1]; import json");
    fork("a", "b");
    assertThat(value("b", "x.append(2); json.dumps(x)")).isEqualTo("'[1, 2]'");
    assertThat(value("a", "x")).isEqualTo("[1]");
    assertThat(host.core.forkedFrom(host.core.require("b")))
        .contains(host.core.require("a").kernelId());
  }

  @Test
  void severalForksAreMadeOfOneMoment() {
    make("a");
    value("a", "x = 0");
    fork("a", "b", "c", "d");
    assertThat(List.of(value("b", "x"), value("c", "x + 1"), value("d", "x + 2")))
        .containsExactly("0", "1", "2");
  }

  @Test
  void forkUnderATakenNameIsRefusedAndLeavesNothing() {
    make("a");
    make("b");
    assertThatThrownBy(() -> fork("a", "b")).hasMessageContaining("already exists");
    assertThat(host.core.list()).hasSize(2);
    assertThat(value("a", "1 + 1")).isEqualTo("2");
  }

  @Test
  void whatAForkWouldLackIsNamedAndRefused() {
    make("a");
    value(
        "a",
        "import threading; t = threading.Event(); n = threading.Thread(target=t.wait, name='mine',"
            + " daemon=True); n.start()");
    assertThatThrownBy(() -> fork("a", "b"))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.COPY_REFUSED))
        .hasMessageContaining("thread mine");
    var forked = host.core.fork("a", List.of(Optional.of("b")), true, host.caller());
    assertThat(forked.hazards()).extracting("name").contains("mine");
    assertThat(value("b", "40 + 2")).isEqualTo("42");
    value("a", "t.set(); n.join()");
  }

  @Test
  void rollbackBringsVariablesBackUnderTheSameNameAndCanBeRepeated() {
    make("a");
    value("a", "x = 1");
    var id = host.core.require("a").kernelId();
    host.core.checkpoint("a", Optional.of("good"), false, host.caller());
    for (int round = 0; round < 3; round++) {
      value("a", "x += 10; y = 1");
      host.core.rollback("a", Optional.of("good"));
      assertThat(value("a", "x, 'y' in globals()")).isEqualTo("(1, False)");
    }
    assertThat(host.core.require("a").kernelId()).isEqualTo(id);
  }

  @Test
  void rollbackEndsWhatTheKernelDoes() throws InterruptedException {
    make("a");
    value("a", "x = 1");
    host.core.checkpoint("a", Optional.empty(), false, host.caller());
    var runs = new CountDownLatch(1);
    var busy = Thread.ofVirtual().start(() -> runForEver(runs));
    assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
    host.core.rollback("a", Optional.empty());
    busy.join();
    assertThat(value("a", "x")).isEqualTo("1");
  }

  private void runForEver(CountDownLatch runs) {
    var code = "import time\nx = 2\nprint('it runs', flush=True)\ntime.sleep(600)";
    host.core.execute(
        "a",
        ExecuteRequest.of(code),
        Optional.empty(),
        host.caller(),
        event -> {
          if (event.toString().contains("it runs")) {
            runs.countDown();
          }
        });
  }

  @Test
  void unknownCheckpointIsAProblemThatSaysWhatToDo() {
    make("a");
    assertThatThrownBy(() -> host.core.rollback("a", Optional.of("nope")))
        .hasMessageContaining("no checkpoint `nope`");
  }

  @Test
  void droppedCheckpointsLeaveNoProcess() {
    make("a");
    var taken = host.core.checkpoint("a", Optional.of("one"), false, host.caller()).checkpoint();
    assertThat(ProcFs.alive(taken.process())).isTrue();
    host.core.dropCheckpoint("a", "one");
    Eventually.until(
        Duration.ofSeconds(20),
        () -> !ProcFs.alive(taken.process()),
        () -> "not in time: it is gone");
    assertThat(host.core.checkpoints("a")).isEmpty();
  }

  @Test
  void theOldestCheckpointsGoWhenTheirMemoryIsUsedUp() {
    host.variables.put("HUSK_CHECKPOINT_MEMORY", "150");
    make("a");
    for (int i = 0; i < 3; i++) {
      value("a", "x = bytearray(b'%d' % " + i + ") * 100_000_000");
      host.core.checkpoint("a", Optional.of("c" + i), false, host.caller());
    }
    assertThat(host.core.checkpoints("a"))
        .extracting(c -> c.label().orElse(""))
        .containsExactly("c2");
  }

  @Test
  void checkpointsOutliveTheDaemon() {
    make("a");
    value("a", "x = 'kept'");
    host.core.checkpoint("a", Optional.of("good"), false, host.caller());
    value("a", "x = 'lost'");
    host.core.close();
    host.core = host.another();
    host.core.rollback("a", Optional.of("good"));
    assertThat(value("a", "x")).isEqualTo("'kept'");
  }

  @Test
  void failedCellLeavesNoTraceWhenItIsToBeTakenBack() {
    make("a");
    value("a", "x = 1");
    var result = run("a", ExecuteRequest.of("x = 2\n1/0").rollingBack(Rollback.ON_ERROR));
    assertThat(result.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(result.rolledBack()).isTrue();
    assertThat(host.core.result(result.executionId(), false)).contains(result);
    assertThat(value("a", "x")).isEqualTo("1");
    var fine = run("a", ExecuteRequest.of("x = 3").rollingBack(Rollback.ON_ERROR));
    assertThat(fine.rolledBack()).isFalse();
    assertThat(value("a", "x")).isEqualTo("3");
    assertThat(run("a", ExecuteRequest.of("x = 4; x").rollingBack(Rollback.ALWAYS)).returnValue())
        .contains("4");
    assertThat(value("a", "x")).isEqualTo("3");
    assertThat(host.core.checkpoints("a")).isEmpty();
  }

  @Test
  void cellThatKillsItsKernelOrRunsTooLongIsTakenBackToo() {
    make("a");
    value("a", "x = 1");
    var died =
        run("a", ExecuteRequest.of("x = 2\nimport os; os._exit(3)").rollingBack(Rollback.ON_ERROR));
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.rolledBack()).isTrue();
    assertThat(value("a", "x")).isEqualTo("1");
    var late =
        run(
            "a",
            ExecuteRequest.of("x = 5\nwhile True: pass")
                .within(Duration.ofMillis(300))
                .rollingBack(Rollback.ON_ERROR));
    assertThat(late.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(value("a", "x")).isEqualTo("1");
  }

  @Test
  void kernelThatDiesComesBackAtItsLastCheckpoint() {
    make("a");
    value("a", "x = 'then'");
    host.core.checkpoint("a", Optional.of("good"), false, host.caller());
    run("a", ExecuteRequest.of("x = 'now'\nimport os; os._exit(1)"));
    var next = run("a", ExecuteRequest.of("x"));
    assertThat(next.returnValue()).contains("'then'");
    assertThat(next.restoredFrom()).contains("good");
    assertThat(next.stateLost()).isFalse();
  }

  @Test
  void bestOfSeveralTriesTakesTheKernelsPlace() {
    make("a");
    value("a", "data = [3, 1, 2]");
    var id = host.core.require("a").kernelId();
    var best =
        host.core.bestOf(
            "a",
            new BestOfRequest(
                List.of(
                    "1/0",
                    "data.sort(); n = 1",
                    "data.sort(reverse=True); n = 2",
                    "import os; os._exit(1)"),
                List.of(),
                Optional.of("data[0] * n"),
                Optional.empty(),
                true,
                false),
            host.caller());
    assertThat(best.winner()).contains(2);
    assertThat(best.variants())
        .extracting(v -> v.result().status().wireName())
        .containsExactly("error", "success", "success", "died");
    assertThat(value("a", "data, n")).isEqualTo("([3, 2, 1], 2)");
    assertThat(host.core.require("a").kernelId()).isEqualTo(id);
    Eventually.until(
        Duration.ofSeconds(20),
        () -> host.core.list().size() == 1,
        () -> "not in time: the tries are gone");
  }

  @Test
  void oneStateManySeeds() {
    make("a");
    value("a", "import random");
    var best =
        host.core.bestOf(
            "a",
            new BestOfRequest(
                List.of("x = random.random()"),
                List.of(1L, 2L, 3L),
                Optional.of("x"),
                Optional.empty(),
                true,
                false),
            host.caller());
    assertThat(best.winner()).contains(1);
    assertThat(value("a", "x == random.Random(2).random()")).isEqualTo("True");
  }

  @Test
  void noTryThatSucceedsLeavesTheKernelAsItWas() {
    make("a");
    value("a", "x = 1");
    var best =
        host.core.bestOf(
            "a", BestOfRequest.of(List.of("x = 2; 1/0", "syntax error")), host.caller());
    assertThat(best.winner()).isEmpty();
    assertThat(value("a", "x")).isEqualTo("1");
  }

  @Test
  void destroyingAKernelEndsItsCheckpoints() {
    make("a");
    var taken = host.core.checkpoint("a", Optional.empty(), false, host.caller()).checkpoint();
    host.core.destroy("a");
    Eventually.until(
        Duration.ofSeconds(20),
        () -> !ProcFs.alive(taken.process()),
        () -> "not in time: it is gone");
  }
}
