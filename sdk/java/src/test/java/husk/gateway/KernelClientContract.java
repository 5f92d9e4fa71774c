package husk.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What a client does, whoever's gateway it is.
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(LeakDetector.class)
abstract class KernelClientContract {
  static final String PNG = "iVBORw0KGgo=";
  static final String SHOW_PNG =
      "display({'image/png': '" + PNG + "', 'text/plain': '<pic>'}, raw=True)\n";

  @TempDir Path folder;
  KernelClient client;

  /// The port of the gateway under test.
  abstract int port();

  /// What it wants to be shown.
  abstract String token();

  KernelClientBuilder builder() {
    return KernelClient.builder()
        .host("127.0.0.1")
        .port(port())
        .token(token())
        .imagesDir(folder.resolve("images"));
  }

  @BeforeEach
  void connect() {
    client = builder().connect();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  /// Called once a kernel has died and this was told.
  void afterDeath() {}

  private static ExecutionError raised(Supplier<?> call) {
    return catchThrowableOfType(
        ExecutionError.class, () -> assertThat(call.get()).as("given instead of raised").isNull());
  }

  @Test
  void stateStaysFromOneExecutionToTheNext() {
    assertThat(client.execute("x = 41").text()).isEmpty();
    assertThat(client.execute("x + 1").text()).contains("42");
  }

  @Test
  void textHoldsEverythingInTheOrderItCame() {
    var result =
        client.execute(
            "import sys\n"
                + "print(' a'); print('b', file=sys.stderr)\n"
                + "display({'text/plain': 'shown'}, raw=True)\n"
                + "print('c', end='')\n"
                + "'value'");

    assertThat(result.text()).contains(" a\nb\nshown\nc\n'value'");
    assertThat(result.stdout()).isEqualTo(" a\nc");
    assertThat(result.stderr()).isEqualTo("b\n");
    assertThat(result.value()).contains("'value'");
  }

  @Test
  void streamGivesTextAsItComesAndTheResultLast() {
    var pieces = new ArrayList<String>();
    var results = new ArrayList<CellResult>();
    try (var stream =
        client.stream(
            "import time\nfor i in range(3): print(i, flush=True); time.sleep(0.3)\n'v'")) {
      while (stream.hasNext()) {
        switch (stream.next()) {
          case CellOutput.Text(var text) -> pieces.add(text);
          case CellOutput.Result(var result) -> results.add(result);
        }
      }
    }

    assertThat(pieces).hasSizeGreaterThan(1);
    assertThat(String.join("", pieces)).isEqualTo("0\n1\n2\n'v'");
    assertThat(results).extracting(CellResult::text).containsExactly(Optional.of("0\n1\n2\n'v'"));
  }

  @Test
  void picturesOfEveryKindAreSavedAsFiles() throws IOException {
    var result =
        client.execute(
            SHOW_PNG
                + "display({'image/jpeg': 'aGVsbG8='}, raw=True)\n"
                + "display({'image/svg+xml': '<svg/>'}, raw=True)\n"
                + "display({'image/png': 'not base64 at all!'}, raw=True)");

    assertThat(result.images())
        .extracting(path -> path.getFileName().toString().replaceAll("^[0-9a-f]{8}", ""))
        .startsWith(".png", ".jpg", ".svg");
    assertThat(result.images()).allMatch(path -> path.startsWith(folder.resolve("images")));
    assertThat(result.images().get(1)).hasContent("hello");
    assertThat(result.images().get(2)).hasContent("<svg/>");
    assertThat(result.text()).contains("<pic>");
  }

  @Test
  void pictureThatIsUpdatedIsTheLatest() {
    var result =
        client.execute(
            "h = display({'image/jpeg': 'b25l'}, raw=True, display_id='d')\n"
                + "from IPython.display import update_display\n"
                + "update_display({'image/jpeg': 'dHdv'}, raw=True, display_id='d')");

    assertThat(result.images()).hasSize(1);
    assertThat(result.images().getFirst()).hasContent("two");
  }

  @Test
  void pictureThatCannotBeSavedIsAProblem() throws IOException {
    Files.writeString(folder.resolve("images"), "in the way");

    assertThatThrownBy(() -> client.execute(SHOW_PNG)).isInstanceOf(Problem.class);
    assertThat(client.execute("1").text()).contains("1");
  }

  @Test
  void errorCarriesWhatWasPrintedAndDrawnBefore() {
    var error = raised(() -> client.execute("print('before')\n" + SHOW_PNG + "1/0"));

    assertThat(error.ename()).isEqualTo("ZeroDivisionError");
    assertThat(error.evalue()).isEqualTo("division by zero");
    assertThat(String.join("\n", error.traceback())).contains("1/0").doesNotContain("\u001b");
    assertThat(error).hasMessageContaining("ZeroDivisionError: division by zero");
    assertThat(error.text()).contains("before\n<pic>");
    assertThat(error.images()).hasSize(1);
  }

  @Test
  void timeoutInterruptsAndKeepsOutputAndVariables() {
    client.execute("x = 1");
    var timeout =
        catchThrowableOfType(
            ExecutionTimeout.class,
            () ->
                client.execute(
                    "x = 2; print('begun', flush=True)\n" + SHOW_PNG + "while True: pass",
                    Duration.ofSeconds(2)));

    assertThat(timeout.limit()).isEqualTo(Duration.ofSeconds(2));
    assertThat(timeout.text()).contains("begun\n<pic>");
    assertThat(timeout.images()).hasSize(1);
    assertThat(client.execute("x").text()).contains("2");
  }

  @Test
  void executionsAtOnceEachGetTheirOwnOutput() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results =
          IntStream.range(0, 20)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> client.execute("print('p%d'); %d".formatted(i, i)).text().get(),
                          threads))
              .toList();

      assertThat(results.stream().map(CompletableFuture::join))
          .containsExactlyElementsOf(
              IntStream.range(0, 20).mapToObj(i -> "p%d\n%d".formatted(i, i)).toList());
    }
  }

  @Test
  void errorOfOneExecutionIsNotThatOfThoseBehindIt() {
    try (var failing = client.stream("import time; time.sleep(0.5); 1/0");
        var other = client.stream("'fine'")) {
      assertThatThrownBy(failing::next).isInstanceOf(ExecutionError.class);
      assertThat(other.next()).isEqualTo(new CellOutput.Text("'fine'"));
      assertThat(other.next()).isInstanceOf(CellOutput.Result.class);
      assertThat(other.hasNext()).isFalse();
    }
  }

  @Test
  void clockStartsWhenItIsTheCellsTurn() {
    try (var first = client.stream("import time; time.sleep(3)", Duration.ZERO);
        var second = client.stream("'made it'", Duration.ofSeconds(2))) {
      assertThat(second.next()).isEqualTo(new CellOutput.Text("'made it'"));
      assertThat(first.next()).isInstanceOf(CellOutput.Result.class);
    }
  }

  @Test
  void deathOfTheKernelIsToldWithWhatCameBefore() {
    var error =
        raised(
            () ->
                client.execute(
                    "import os, time; print('last words', flush=True); time.sleep(0.5);"
                        + " os._exit(3)"));

    assertThat(error.ename()).isEqualTo(ExecutionError.KERNEL_DIED);
    assertThat(error.text()).contains("last words\n");
    afterDeath();
  }

  @Test
  void deathOfTheKernelEndsWhatWaitsBehindItToo() {
    try (var first = client.stream("import os, time; time.sleep(0.5); os._exit(3)", Duration.ZERO);
        var second = client.stream("1", Duration.ZERO)) {
      assertThat(raised(first::next).ename()).isEqualTo(ExecutionError.KERNEL_DIED);
      assertThat(raised(second::next).ename()).isEqualTo(ExecutionError.KERNEL_DIED);
    }
    afterDeath();
  }

  @Test
  void interruptEndsWhatRuns() {
    try (var stream = client.stream("print('go', flush=True)\nwhile True: pass")) {
      assertThat(stream.next()).isEqualTo(new CellOutput.Text("go\n"));
      client.interrupt();
      assertThat(raised(stream::next).ename()).isEqualTo("KeyboardInterrupt");
    }
  }

  @Test
  void closingAStreamEarlyInterruptsTheCode() {
    try (var stream = client.stream("x = 5; print('go', flush=True)\nwhile True: pass")) {
      assertThat(stream.next()).isEqualTo(new CellOutput.Text("go\n"));
    }
    assertThat(client.execute("x").text()).contains("5");
  }

  @Test
  void cellThatIsGivenUpBeforeItBeginsDoesNotRunOn() {
    try (var first = client.stream("import time; time.sleep(2)", Duration.ZERO)) {
      client.stream("while True: pass", Duration.ZERO).close();
      assertThat(first.next()).isInstanceOf(CellOutput.Result.class);
    }
    assertThat(client.execute("'free'", Duration.ofSeconds(30)).text()).contains("'free'");
    assertThatThrownBy(() -> client.execute("while True: pass", Duration.ofSeconds(1)))
        .isInstanceOf(ExecutionTimeout.class);
  }

  @Test
  void interruptedThreadCancelsItsExecution() throws Exception {
    var seen = new CompletableFuture<Throwable>();
    var waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (var stream = client.stream("print('go', flush=True)\nwhile True: pass")) {
                    while (stream.hasNext()) {
                      stream.next();
                      Thread.currentThread().interrupt();
                    }
                  } catch (RuntimeException e) {
                    seen.complete(e);
                  }
                });
    waiting.join();

    assertThat(seen.getNow(null))
        .isInstanceOfSatisfying(
            ExecutionError.class,
            error -> {
              assertThat(error.ename()).isEqualTo(ExecutionError.CANCELLED);
              assertThat(error.text()).contains("go\n");
            });
    assertThat(client.execute("'free'").text()).contains("'free'");
  }

  @Test
  void resetGivesANewKernelWithoutVariables() {
    client.execute("x = 1");
    var before = client.kernelId();

    client.reset();

    assertThat(client.kernelId()).isNotEqualTo(before);
    assertThat(raised(() -> client.execute("x")).ename()).isEqualTo("NameError");
  }

  @Test
  void disconnectEndsTheKernelAndWhoeverWaitsForIt() {
    var stream = client.stream("print('go', flush=True)\nwhile True: pass", Duration.ZERO);
    assertThat(stream.next()).isEqualTo(new CellOutput.Text("go\n"));

    client.disconnect();

    assertThat(raised(stream::next).ename()).isEqualTo(ExecutionError.CANCELLED);
    assertThatThrownBy(() -> client.kernelId()).isInstanceOf(Problem.class);
    assertThatThrownBy(() -> client.execute("1")).isInstanceOf(Problem.class);
    client.connect();
    assertThat(client.execute("1").text()).contains("1");
  }

  @Test
  void wrongTokenIsRefusedAtOnce() {
    try (var stranger = builder().token("wrong").build()) {
      assertThatThrownBy(stranger::connect)
          .isInstanceOfSatisfying(
              Problem.class,
              problem ->
                  assertThat(problem.code())
                      .isIn(Problem.Code.UNAUTHENTICATED, Problem.Code.FORBIDDEN));
    }
  }

  @Test
  void brokenLineIsMadeAnewAndNothingIsLost() throws Exception {
    try (var passage = new Passage(port());
        var remote = builder().port(passage.port()).connect();
        var stream =
            remote.stream(
                "import time\nfor i in range(30): print(i, flush=True); time.sleep(0.1)\n'end'")) {
      assertThat(stream.next()).isInstanceOf(CellOutput.Text.class);

      passage.cut();

      var result = (CellOutput.Result) stream.stream().reduce((_, last) -> last).orElseThrow();
      var expected =
          String.join("", IntStream.range(0, 30).mapToObj(i -> i + "\n").toList()) + "'end'";
      assertThat(result.result().text()).contains(expected);
      assertThat(remote.execute("i").text()).contains("29");
    }
  }

  @Test
  void gatewayThatFallsSilentIsConnectedToAnew() throws Exception {
    try (var passage = new Passage(port());
        var remote =
            builder().port(passage.port()).pingInterval(Duration.ofMillis(300)).connect()) {
      remote.execute("x = 7");

      passage.silence();

      // It is lost on its way, and nobody can know whether the kernel ever had it.
      assertThat(raised(() -> remote.execute("x = 8", Duration.ZERO)).ename())
          .isEqualTo(ExecutionError.CONNECTION_LOST);
      assertThat(remote.execute("x").text()).contains("7");
    }
  }

  @Test
  void cellsWaitWhileTheLineIsMadeAnew() throws Exception {
    try (var passage = new Passage(port());
        var remote = builder().port(passage.port()).connect()) {
      remote.execute("x = 7");
      passage.block(true);
      passage.cut();
      Thread.sleep(200);
      var waiting = CompletableFuture.supplyAsync(() -> remote.execute("x").text());
      Thread.sleep(200);
      passage.block(false);

      assertThat(waiting.get()).contains("7");
    }
  }

  @Test
  void largeOutputsArriveWhole() {
    var result = client.execute("'x' * 2_000_000");

    assertThat(result.value().orElseThrow()).hasSize(2_000_002);
  }

  static void assertGone(List<ProcessHandle> processes) {
    Eventually.until(
        Duration.ofSeconds(20),
        () -> processes.stream().noneMatch(ProcessHandle::isAlive),
        () -> "still there: " + processes);
  }
}
