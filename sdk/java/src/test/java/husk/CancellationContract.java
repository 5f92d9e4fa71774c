package husk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// How executions are ended before their time, and what becomes of their futures.
abstract class CancellationContract extends KernelsContract {
  static final String SLEEP = "import time; print('begun', flush=True); time.sleep(60)";

  @Test
  void runningExecutionCanBeCancelledByItsId() throws Exception {
    var request = ExecuteRequest.of(SLEEP);
    var begun = new Begun();
    var future = husk.executeAsync("demo", request, begun);
    begun.await();

    assertThat(husk.cancel(request.executionId())).isTrue();

    assertThat(future.get().status()).isEqualTo(ResultStatus.CANCELLED);
    assertThat(husk.cancel(request.executionId())).isFalse();
    assertThat(husk.result(request.executionId()).status()).isEqualTo(ResultStatus.CANCELLED);
  }

  @Test
  void waitingExecutionCanBeCancelledAndTheRunningOneGoesOn() throws Exception {
    var begun = new Begun();
    var first =
        husk.executeAsync(
            "demo",
            ExecuteRequest.of("import time; print(1, flush=True); time.sleep(1); 'done'"),
            begun);
    begun.await();
    var waiting = ExecuteRequest.of("never = True");
    var second = husk.executeAsync("demo", waiting);
    TimeUnit.MILLISECONDS.sleep(100);

    assertThat(husk.cancel(waiting.executionId())).isTrue();

    assertThat(second.get().status()).isEqualTo(ResultStatus.CANCELLED);
    assertThat(first.get().returnValue()).contains("'done'");
    assertThat(husk.execute("demo", "'never' in globals()").returnValue()).contains("False");
  }

  @Test
  void cancellingTheFutureCancelsTheExecution() throws Exception {
    var request = ExecuteRequest.of(SLEEP);
    var begun = new Begun();
    var future = husk.executeAsync("demo", request, begun);
    begun.await();

    future.cancel(true);

    assertThatExceptionOfType(CancellationException.class).isThrownBy(future::join);
    assertThat(husk.result(request.executionId()).status()).isEqualTo(ResultStatus.CANCELLED);
  }

  @Test
  void futureCanBeCancelledAtAnyMomentAndTheKernelKeepsItsVariables() {
    husk.execute("demo", "x = 7");

    for (int i = 0; i < 40; i++) {
      var future = husk.executeAsync("demo", SLEEP);
      LockSupport.parkNanos(i * 150_000L);
      future.cancel(true);
    }

    assertThat(husk.execute("demo", "x").returnValue()).contains("7");
  }

  @Test
  void timeLimitOfTheFutureCancelsTheExecution() {
    var request = ExecuteRequest.of(SLEEP);
    var future = husk.executeAsync("demo", request).orTimeout(500, TimeUnit.MILLISECONDS);

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(future::get)
        .withCauseInstanceOf(TimeoutException.class);
    assertThat(husk.result(request.executionId()).status()).isEqualTo(ResultStatus.CANCELLED);
  }

  @Test
  void futureOfARefusedExecutionCarriesTheProblem() {
    var kernel = husk.getOrCreate("demo");
    husk.destroy(kernel);

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(husk.executeAsync(kernel, "1")::get)
        .withCauseInstanceOf(Problem.class);
  }

  @Test
  void interruptingTheWaitingThreadCancelsTheExecution() throws Exception {
    var outcome = new AtomicReference<Optional<ExecutionResult>>(Optional.empty());
    var stillInterrupted = new boolean[1];
    var begun = new Begun();
    var waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  outcome.set(Optional.of(husk.execute("demo", SLEEP, begun)));
                  stillInterrupted[0] = Thread.currentThread().isInterrupted();
                });
    begun.await();

    waiting.interrupt();
    waiting.join();

    assertThat(outcome.get().orElseThrow().status()).isEqualTo(ResultStatus.CANCELLED);
    assertThat(stillInterrupted[0]).isTrue();
  }
}
