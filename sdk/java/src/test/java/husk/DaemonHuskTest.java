package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.KernelOptions;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DaemonHuskTest extends HuskContract {
  @Override
  Husk open(HuskOptions chosen) {
    return Husk.open(chosen);
  }

  @Override
  void end(HuskOptions chosen) {
    new TestDaemon(chosen).stop();
  }

  @Override
  Path dist() {
    return TestDaemon.dist();
  }

  /// For tests that end the daemon: one of their own.
  private interface OnItsOwn {
    void test(Husk own, TestDaemon daemon) throws Exception;
  }

  private void onItsOwn(OnItsOwn test) throws Exception {
    try (var other = TempHome.create()) {
      try (var own = open(in(other))) {
        test.test(own, new TestDaemon(in(other)));
      } finally {
        end(in(other));
      }
    }
  }

  @Test
  void daemonKilledAmidACellGoesUnnoticed() throws Exception {
    onItsOwn(
        (own, daemon) -> {
          own.execute("demo", "x = 7");
          var begun = new Begun();
          var future =
              own.executeAsync(
                  "demo",
                  ExecuteRequest.of("import time; print('slept', flush=True); time.sleep(2); x"),
                  begun);
          begun.await();

          daemon.kill();

          assertThat(future.get().returnValue()).contains("7");
          assertThat(future.get().output()).isEqualTo("slept\n");
          assertThat(own.execute("demo", "x + 1").returnValue()).contains("8");
        });
  }

  @Test
  void daemonKilledAmidAPlainCallGoesUnnoticed() throws Exception {
    onItsOwn(
        (own, daemon) -> {
          own.execute("demo", "x = 7");
          var future = own.executeAsync("demo", "import time; time.sleep(2); x");
          Eventually.until(
              Duration.ofSeconds(30),
              () -> own.list().getFirst().status() == KernelStatus.BUSY,
              () -> "the cell did not begin");

          daemon.kill();

          assertThat(future.get().returnValue()).contains("7");
        });
  }

  @Test
  void listenerHearsEverythingOnceThoughTheDaemonIsKilled() throws Exception {
    onItsOwn(
        (own, daemon) -> {
          var text = new StringBuilder();
          var first = new CountDownLatch(1);
          var ended = new CountDownLatch(1);
          var future =
              own.executeAsync(
                  "demo",
                  ExecuteRequest.of(
                      "import time\n"
                          + "for i in range(20):\n"
                          + "  print('line', i, flush=True); time.sleep(0.1)\n"
                          + "'end'"),
                  event -> {
                    switch (event) {
                      case ExecutionEvent.Stream(_, var part) -> {
                        text.append(part);
                        first.countDown();
                      }
                      case ExecutionEvent.Display(var item) -> text.append(item.text().orElse(""));
                      case ExecutionEvent.Ended _ -> ended.countDown();
                      default -> {}
                    }
                  });
          first.await();

          daemon.kill();

          assertThat(future.get().ok()).isTrue();
          ended.await();
          var expected = new StringBuilder();
          IntStream.range(0, 20).forEach(i -> expected.append("line ").append(i).append('\n'));
          assertThat(text.toString()).isEqualTo(expected + "'end'");
        });
  }

  @Test
  void daemonKilledBetweenTwoCallsGoesUnnoticed() throws Exception {
    onItsOwn(
        (own, daemon) -> {
          var kernel = own.getOrCreate("demo");
          own.execute(kernel, "x = 7");

          daemon.kill();
          assertThat(own.execute(kernel, "x").returnValue()).contains("7");
          daemon.kill();
          assertThat(own.list()).hasSize(1);
          daemon.kill();
          assertThat(own.create("another", KernelOptions.NONE).name()).contains("another");
          daemon.kill();
          assertThat(own.destroy(kernel)).isTrue();
        });
  }

  @Test
  void daemonStoppedAmidACellGoesUnnoticed() throws Exception {
    onItsOwn(
        (own, daemon) -> {
          own.execute("demo", "x = 7");
          var begun = new Begun();
          var future =
              own.executeAsync(
                  "demo",
                  ExecuteRequest.of("import time; print(1, flush=True); time.sleep(2); x"),
                  begun);
          begun.await();

          daemon.stopAlone();

          assertThat(future.get().returnValue()).contains("7");
          assertThat(own.execute("demo", "x + 1").returnValue()).contains("8");
        });
  }

  @Test
  void manyHusksOpenedAtOnceShareOneDaemon() throws Exception {
    onItsOwn(
        (own, daemon) -> {
          daemon.kill();
          var ids =
              IntStream.range(0, 6)
                  .mapToObj(
                      _ -> CompletableFuture.supplyAsync(() -> own.getOrCreate("demo").kernelId()))
                  .toList();

          assertThat(ids.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        });
  }

  @Test
  void daemonThatCannotBeStartedIsReported() throws IOException {
    try (var other = TempHome.create()) {
      var nowhere = in(other).with("HUSK_DIST", other.resolve("nothing").toString());

      assertProblem(Problem.Code.DAEMON_UNAVAILABLE, () -> open(nowhere));
    }
  }
}
