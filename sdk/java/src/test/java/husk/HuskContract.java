package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.Ids;
import husk.model.Language;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every Husk promises, the daemon's and the one in this process alike.
abstract class HuskContract extends CancellationContract {
  @Test
  void executingOnANewNameMakesTheKernelAndVariablesStay() {
    assertThat(husk.execute("demo", "x = [1, 2, 3]\nsum(x)").returnValue()).contains("6");
    assertThat(husk.execute("demo", "x.append(4)\nsum(x)").returnValue()).contains("10");
  }

  @Test
  void resultCarriesEverythingTheCodeGave() {
    var request =
        ExecuteRequest.of("import sys\nprint('hello')\nprint('oops', file=sys.stderr)\n2 + 2");

    var result = husk.execute("demo", request);

    assertThat(result.executionId()).isEqualTo(request.executionId());
    assertThat(result.status()).isEqualTo(ResultStatus.SUCCESS);
    assertThat(result.ok()).isTrue();
    assertThat(result.output()).isEqualTo("hello\n");
    assertThat(result.stderr()).isEqualTo("oops\n");
    assertThat(result.returnValue()).contains("4");
    assertThat(result.executionCount()).contains(1);
    assertThat(result.error()).isEmpty();
    assertThat(result.truncated()).isFalse();
    assertThat(result.outputs())
        .extracting(item -> item.kind())
        .containsExactly("stream", "stream", "execute_result");
  }

  @Test
  void errorOfTheCodeIsAResult() {
    var result = husk.execute("demo", "print('before')\n1 / 0");

    assertThat(result.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(result.output()).isEqualTo("before\n");
    assertThat(result.error().orElseThrow().ename()).isEqualTo("ZeroDivisionError");
    assertThat(result.error().orElseThrow().evalue()).isEqualTo("division by zero");
    assertThat(result.error().orElseThrow().traceback()).isNotEmpty();
  }

  @Test
  void bashRunsInThePersistentShell() {
    husk.execute("demo", ExecuteRequest.of("cd /usr; greeting=hello").in(Language.BASH));
    var result =
        husk.execute("demo", ExecuteRequest.of("echo $greeting $PWD; false").in(Language.BASH));

    assertThat(result.output()).isEqualTo("hello /usr\n");
    assertThat(result.exitCode()).contains(1);
    assertThat(result.status()).isEqualTo(ResultStatus.ERROR);
  }

  @Test
  void timeoutInterruptsTheCodeAndKeepsWhatItPrinted() {
    husk.execute("demo", "x = 7");
    var request = ExecuteRequest.of(SLEEP).within(Duration.ofMillis(300));

    var result = husk.execute("demo", request);

    assertThat(result.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(result.output()).isEqualTo("begun\n");
    assertThat(result.error().orElseThrow().ename()).isEqualTo("TimeoutError");
    assertThat(husk.execute("demo", "x").returnValue()).contains("7");
  }

  @Test
  void longOutputIsCutToWhatTheRequestKeeps() {
    var result = husk.execute("demo", ExecuteRequest.of("print('a' * 5000)").keeping(100));

    assertThat(result.output()).hasSize(100);
    assertThat(result.truncatedFields()).containsExactly("output");
  }

  @Test
  void deathOfTheKernelIsAResultAndTheNextOneSaysWhatWasLost() {
    husk.execute("demo", "x = 1");

    var died = husk.execute("demo", "import os; os._exit(3)");
    var next = husk.execute("demo", "'x' in globals()");

    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.death().orElseThrow().exitCode()).contains(3);
    assertThat(next.stateLost()).isTrue();
    assertThat(next.returnValue()).contains("False");
  }

  @Test
  void listenerHearsOutputsInOrderWhileTheCodeRuns() {
    var heard = new ArrayList<ExecutionEvent>();

    var result =
        husk.execute(
            "demo",
            """
            import sys, time
            from IPython.display import display
            print('one', flush=True)
            time.sleep(0.2)
            print('two', file=sys.stderr, flush=True)
            display({'text/plain': 'shown', 'image/png': 'aGk='}, raw=True)
            'value'
            """,
            heard::add);

    assertThat(heard.getFirst()).isInstanceOf(ExecutionEvent.Started.class);
    assertThat(heard.getLast()).isEqualTo(new ExecutionEvent.Ended(result));
    assertThat(streamed(heard)).isEqualTo("stdout:one\nstderr:two\n");
    assertThat(heard)
        .filteredOn(ExecutionEvent.Display.class::isInstance)
        .extracting(event -> ((ExecutionEvent.Display) event).item().text().orElse(""))
        .containsExactly("shown", "'value'");
    assertThat(result.images()).hasSize(1);
  }

  private static String streamed(List<ExecutionEvent> events) {
    var text = new StringBuilder();
    for (var event : events) {
      if (event instanceof ExecutionEvent.Stream(var name, var part)) {
        text.append(name).append(':').append(part);
      }
    }
    return text.toString();
  }

  @Test
  void listenerHearsUpdatesAndClearing() {
    var heard = new ArrayList<ExecutionEvent>();

    husk.execute(
        "demo",
        """
        from IPython.display import display, clear_output
        shown = display('draft', display_id='d1')
        shown.update('final')
        clear_output(wait=True)
        """,
        heard::add);

    assertThat(heard)
        .anyMatch(e -> e instanceof ExecutionEvent.DisplayUpdated(var id, _) && id.equals("d1"))
        .contains(new ExecutionEvent.Cleared(true));
  }

  @Test
  void listenerHearsAllOfALongOutputThatTheResultCuts() {
    var length = new long[1];

    var result =
        husk.execute(
            "demo",
            "for _ in range(2000): print('x' * 999)",
            event -> {
              if (event instanceof ExecutionEvent.Stream(_, var text)) {
                length[0] += text.length();
              }
            });

    assertThat(length[0]).isEqualTo(2_000_000);
    assertThat(result.truncated()).isTrue();
  }

  @Test
  void listenerThatFailsIsNotToldAgainAndHarmsNothing() {
    var calls = new int[1];

    var result =
        husk.execute(
            "demo",
            "print('still running')\n1",
            _ -> {
              calls[0]++;
              throw new IllegalStateException("on purpose");
            });

    assertThat(calls[0]).isEqualTo(1);
    assertThat(result.output()).isEqualTo("still running\n");
    assertThat(result.ok()).isTrue();
  }

  @Test
  void resultIsWaitedForAndKept() throws Exception {
    var request = ExecuteRequest.of("import time; print(1, flush=True); time.sleep(0.5); 'late'");
    var begun = new Begun();
    var future = husk.executeAsync("demo", request, begun);
    begun.await();

    assertThat(husk.result(request.executionId()).returnValue()).contains("'late'");
    assertThat(husk.result(request.executionId())).isEqualTo(future.get());
  }

  @Test
  void resultOfAnotherHusksExecutionIsWaitedFor() throws Exception {
    var request = ExecuteRequest.of("import time; print(1, flush=True); time.sleep(0.5); 'late'");
    try (var another = open(options)) {
      var begun = new Begun();
      var future = another.executeAsync("demo", request, begun);
      begun.await();

      assertThat(husk.result(request.executionId()).returnValue()).contains("'late'");
      assertThat(future.get().ok()).isTrue();
    }
  }

  @Test
  void unknownExecutionIsNotFound() {
    assertProblem(Problem.Code.EXECUTION_NOT_FOUND, () -> husk.result(Ids.fresh()));
    assertProblem(Problem.Code.EXECUTION_NOT_FOUND, () -> husk.cancel(Ids.fresh()));
    assertProblem(Problem.Code.EXECUTION_NOT_FOUND, () -> husk.result(""));
  }

  @Test
  void requestThatCannotBeServedIsRefused() {
    var request = ExecuteRequest.of("1");
    husk.execute("demo", request);

    assertProblem(Problem.Code.INVALID_REQUEST, () -> husk.execute("demo", request));
    assertProblem(
        Problem.Code.INVALID_REQUEST,
        () -> husk.execute("demo", ExecuteRequest.of("1").within(Duration.ofSeconds(-1))));
    assertProblem(
        Problem.Code.INVALID_REQUEST,
        () -> husk.execute("demo", ExecuteRequest.of("1").silently()));
  }

  @Test
  void manyThreadsShareOneKernelAndNothingIsLost() {
    husk.execute("demo", "count = 0");

    var all =
        IntStream.range(0, 24)
            .mapToObj(_ -> husk.executeAsync("demo", "count += 1"))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).join();

    assertThat(husk.execute("demo", "count").returnValue()).contains("24");
  }

  @Test
  void retryRunsWhatTheCallbackGivesUntilItSucceeds() {
    var told = new ArrayList<String>();

    var result =
        husk.executeWithRetry(
            "demo",
            "x + 1",
            (failed, attempt) -> {
              told.add(attempt + ": " + failed.error().orElseThrow().evalue());
              return Optional.of("x = 41\nx + 1");
            });

    assertThat(result.status()).isEqualTo(ResultStatus.SUCCESS);
    assertThat(result.returnValue()).contains("42");
    assertThat(told).containsExactly("1: name 'x' is not defined");
    assertThat(result.attempts())
        .extracting(attempt -> attempt.attempt() + " " + attempt.status() + " " + attempt.code())
        .containsExactly("1 ERROR x + 1", "2 SUCCESS x = 41\nx + 1");
    assertThat(husk.find("demo").orElseThrow().attemptCount()).isEqualTo(2);
  }

  @Test
  void retryWithoutNewCodeRunsTheSameAgain() {
    husk.execute("demo", "tries = 0");

    var result =
        husk.executeWithRetry("demo", "tries += 1\nassert tries == 3\ntries", OnError.SAME_AGAIN);

    assertThat(result.returnValue()).contains("3");
    assertThat(result.attempts()).hasSize(3);
  }

  @Test
  void retryEndsAfterTheAllowedAttempts() {
    var kernel = husk.getOrCreate("demo");

    var given = husk.executeWithRetry(kernel, "1 / 0", OnError.SAME_AGAIN, 2);
    var configured = husk.executeWithRetry(kernel, "1 / 0", OnError.SAME_AGAIN);

    assertThat(given.status()).isEqualTo(ResultStatus.MAX_ATTEMPTS_EXCEEDED);
    assertThat(given.error().orElseThrow().ename()).isEqualTo("ZeroDivisionError");
    assertThat(given.attempts()).hasSize(2);
    assertThat(configured.attempts()).hasSize(5);
    assertProblem(
        Problem.Code.INVALID_REQUEST,
        () -> husk.executeWithRetry(kernel, "1", OnError.SAME_AGAIN, 0));
  }

  @Test
  void retryAfterATimeoutHandsOverAnError() {
    var enames = new ArrayList<String>();
    var request = ExecuteRequest.of(SLEEP).within(Duration.ofMillis(200));

    var result =
        husk.executeWithRetry(
            "demo",
            request,
            (failed, _) -> {
              enames.add(failed.error().orElseThrow().ename());
              return Optional.of("'quick'");
            });

    assertThat(enames).containsExactly("TimeoutError");
    assertThat(result.returnValue()).contains("'quick'");
  }

  @Test
  void settingsComeFromTheEnvironmentOfTheOptions() {
    try (var strict =
        open(options.with("HUSK_MAX_RETRIES", "2").with("KERNELBOX_OUTPUT_CHAR_LIMIT", "50"))) {
      assertThat(strict.executeWithRetry("demo", "1 / 0", OnError.SAME_AGAIN).attempts())
          .hasSize(2);
      assertThat(strict.execute("demo", "print('a' * 500)").output()).hasSize(50);
    }
  }

  @Test
  void closingWaitsForExecutionsAndRefusesNewOnes() throws Exception {
    var another = open(options);
    var begun = new Begun();
    var future =
        another.executeAsync(
            "demo",
            ExecuteRequest.of("import time; print(1, flush=True); time.sleep(0.5); 9"),
            begun);
    begun.await();

    another.close();

    assertThat(future).isDone();
    assertThat(future.get().returnValue()).contains("9");
    assertProblem(Problem.Code.USAGE, () -> another.execute("demo", "1"));
    assertProblem(Problem.Code.USAGE, another::list);
    another.close();
  }
}
