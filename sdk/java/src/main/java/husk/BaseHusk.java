package husk;

import husk.core.Retry;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent.Listener;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import java.util.concurrent.CompletableFuture;

/// What both ways to have Husk share: how executions are begun, waited for, cancelled and retried.
abstract class BaseHusk implements Husk {
  private final Executions executions = new Executions(this::cancel);

  /// Runs a request to its end, on a thread that nobody else interrupts.
  abstract ExecutionResult run(Target target, ExecuteRequest request, Hearing hearing);

  /// How often a retrying execution may try, when its caller does not say.
  abstract int maxAttempts();

  /// Lets go of everything; nothing is under way any more.
  abstract void release();

  @Override
  public ExecutionResult execute(String nameOrId, ExecuteRequest request, Listener listener) {
    return await(Target.of(nameOrId), request, listener);
  }

  @Override
  public ExecutionResult execute(KernelRecord kernel, ExecuteRequest request, Listener listener) {
    return await(Target.of(kernel), request, listener);
  }

  @Override
  public CompletableFuture<ExecutionResult> executeAsync(
      String nameOrId, ExecuteRequest request, Listener listener) {
    return begin(Target.of(nameOrId), request, listener).offered();
  }

  @Override
  public CompletableFuture<ExecutionResult> executeAsync(
      KernelRecord kernel, ExecuteRequest request, Listener listener) {
    return begin(Target.of(kernel), request, listener).offered();
  }

  @Override
  public ExecutionResult executeWithRetry(
      String nameOrId, ExecuteRequest request, OnError onError) {
    return retry(Target.of(nameOrId), request, onError, maxAttempts());
  }

  @Override
  public ExecutionResult executeWithRetry(
      KernelRecord kernel, ExecuteRequest request, OnError onError) {
    return retry(Target.of(kernel), request, onError, maxAttempts());
  }

  @Override
  public ExecutionResult executeWithRetry(
      String nameOrId, ExecuteRequest request, OnError onError, int maxAttempts) {
    return retry(Target.of(nameOrId), request, onError, maxAttempts);
  }

  @Override
  public ExecutionResult executeWithRetry(
      KernelRecord kernel, ExecuteRequest request, OnError onError, int maxAttempts) {
    return retry(Target.of(kernel), request, onError, maxAttempts);
  }

  private ExecutionResult retry(
      Target target, ExecuteRequest request, OnError onError, int maxAttempts) {
    return Retry.run(
        request, maxAttempts, attempt -> await(target, attempt, Listener.NONE), onError::next);
  }

  private ExecutionResult await(Target target, ExecuteRequest request, Listener listener) {
    return begin(target, request, listener).await();
  }

  private Executions.Begun begin(Target target, ExecuteRequest request, Listener listener) {
    Requests.check(target, request);
    var hearing = new Hearing(listener);
    return executions.begin(request.executionId(), () -> run(target, request, hearing));
  }

  @Override
  public BestOf bestOf(String nameOrId, BestOfRequest request, Score score) {
    return new ScoredHere(this, request, score).run(nameOrId);
  }

  @Override
  public void close() {
    executions.close();
    release();
  }
}
