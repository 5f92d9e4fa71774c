package husk;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Persistent kernels: named places where code runs and its variables stay.
///
/// {@snippet class="husk.examples.Demo" region="demo"}
///
/// [#open()] reaches the user's daemon and starts it if there is none; [#inProcess()] does the same
/// work in this process. Either way kernels outlive the `Husk` they were made with: the next one
/// finds them by their names.
///
/// A kernel is given by its name (or id), or by the record that [#getOrCreate] and its like gave.
/// Executing on a name nobody has used makes the kernel; executing on the record of a kernel that
/// was destroyed is a [Problem], because whoever holds a record counts on its variables.
///
/// **What happens to the code is a result, never an exception**: errors, timeouts, even the death
/// of the kernel. A [Problem] says that the call itself could not be served.
///
/// Executions of one kernel run one at a time. Those asked for by one thread, one after the other,
/// run in that order; for calls made at once no order is promised. All methods can be called from
/// any number of threads.
///
/// Interrupting a thread that waits in [#execute] cancels its execution; the call then returns with
/// what there was of the result, and the thread still interrupted.
public interface Husk extends LiveState, AutoCloseable {

  /// The daemon of the user this process runs as, started now if it does not run.
  static Husk open() {
    return open(HuskOptions.ofThisProcess());
  }

  /// The daemon that a process with this environment would ask.
  static Husk open(HuskOptions options) {
    return new DaemonHusk(options);
  }

  /// Husk in this process, with no daemon. The registry is shared with whoever uses the same home.
  static Husk inProcess() {
    return inProcess(HuskOptions.ofThisProcess());
  }

  /// Husk in this process, as a process with this environment would have it.
  static Husk inProcess(HuskOptions options) {
    return new InProcessHusk(options);
  }

  // Kernels

  /// The living kernel of this name: the one there is, or a new one.
  default KernelRecord getOrCreate(String name) {
    return getOrCreate(name, KernelOptions.NONE);
  }

  /// The living kernel of this name.
  ///
  /// @param options how it is made if there is none; one that exists stays as it is
  KernelRecord getOrCreate(String name, KernelOptions options);

  /// A new kernel; a living one of the same name is a [Problem].
  KernelRecord create(String name, KernelOptions options);

  /// A new kernel without a name, known by its id.
  KernelRecord create(KernelOptions options);

  /// The kernel of this name or id, alive or not.
  Optional<KernelRecord> find(String nameOrId);

  /// All kernels, oldest first, with what is true of them now.
  List<KernelRecord> list();

  /// How a kernel is: whether it lives, and whether it reacts.
  KernelHealth status(String nameOrId);

  default KernelHealth status(KernelRecord kernel) {
    return status(kernel.kernelId());
  }

  /// A new process under the same name and id; variables are gone.
  KernelRecord restart(String nameOrId);

  default KernelRecord restart(KernelRecord kernel) {
    return restart(kernel.kernelId());
  }

  /// Interrupts whatever the kernel runs, as Ctrl-C would; variables stay.
  void interrupt(String nameOrId);

  default void interrupt(KernelRecord kernel) {
    interrupt(kernel.kernelId());
  }

  /// Ends a kernel. When this returns its processes and files are gone.
  ///
  /// @return whether there was such a kernel
  boolean destroy(String nameOrId);

  default boolean destroy(KernelRecord kernel) {
    return destroy(kernel.kernelId());
  }

  /// Ends every kernel there is, and gives their ids.
  List<String> wipe();

  /// The end of what the kernel's process itself printed, outside of any execution.
  String log(String nameOrId);

  default String log(KernelRecord kernel) {
    return log(kernel.kernelId());
  }

  /// Isolated places for commands and kernels.
  Sandboxes sandboxes();

  // Executions

  /// Runs code in the kernel of this name, which is made if there is none, and waits for the
  /// result.
  default ExecutionResult execute(String nameOrId, String code) {
    return execute(nameOrId, ExecuteRequest.of(code));
  }

  /// Runs code in a kernel and waits for the result.
  default ExecutionResult execute(KernelRecord kernel, String code) {
    return execute(kernel, ExecuteRequest.of(code));
  }

  /// Runs code as the request says: in which language, for how long, keeping how much.
  ///
  /// {@snippet class="husk.examples.Bash" region="bash"}
  @Override
  default ExecutionResult execute(String nameOrId, ExecuteRequest request) {
    return execute(nameOrId, request, ExecutionEvent.Listener.NONE);
  }

  @Override
  default ExecutionResult execute(KernelRecord kernel, ExecuteRequest request) {
    return execute(kernel, request, ExecutionEvent.Listener.NONE);
  }

  /// Runs code and tells `listener` of its outputs as they come.
  default ExecutionResult execute(String nameOrId, String code, ExecutionEvent.Listener listener) {
    return execute(nameOrId, ExecuteRequest.of(code), listener);
  }

  /// Runs code and tells `listener` of its outputs as they come.
  default ExecutionResult execute(
      KernelRecord kernel, String code, ExecutionEvent.Listener listener) {
    return execute(kernel, ExecuteRequest.of(code), listener);
  }

  /// Runs code and tells `listener` of its outputs as they come, uncut, on a thread of Husk's own.
  ///
  /// {@snippet class="husk.examples.Streaming" region="streaming"}
  ///
  /// A listener that throws is not told again; the execution goes on.
  ExecutionResult execute(
      String nameOrId, ExecuteRequest request, ExecutionEvent.Listener listener);

  ExecutionResult execute(
      KernelRecord kernel, ExecuteRequest request, ExecutionEvent.Listener listener);

  default CompletableFuture<ExecutionResult> executeAsync(String nameOrId, String code) {
    return executeAsync(nameOrId, ExecuteRequest.of(code), ExecutionEvent.Listener.NONE);
  }

  default CompletableFuture<ExecutionResult> executeAsync(KernelRecord kernel, String code) {
    return executeAsync(kernel, ExecuteRequest.of(code), ExecutionEvent.Listener.NONE);
  }

  default CompletableFuture<ExecutionResult> executeAsync(String nameOrId, ExecuteRequest request) {
    return executeAsync(nameOrId, request, ExecutionEvent.Listener.NONE);
  }

  default CompletableFuture<ExecutionResult> executeAsync(
      KernelRecord kernel, ExecuteRequest request) {
    return executeAsync(kernel, request, ExecutionEvent.Listener.NONE);
  }

  /// Runs code without waiting for it. Ending the future from outside, by `cancel` or by the limit
  /// of `orTimeout`, cancels the execution; [#result] has what it gave until then.
  CompletableFuture<ExecutionResult> executeAsync(
      String nameOrId, ExecuteRequest request, ExecutionEvent.Listener listener);

  CompletableFuture<ExecutionResult> executeAsync(
      KernelRecord kernel, ExecuteRequest request, ExecutionEvent.Listener listener);

  /// Runs code until it succeeds, as often as the setting `max-retries` allows.
  ///
  /// {@snippet class="husk.examples.SelfHealing" region="retry"}
  ///
  /// @return the last attempt's result with all attempts in it; its status is
  ///   `MAX_ATTEMPTS_EXCEEDED` when none succeeded
  default ExecutionResult executeWithRetry(String nameOrId, String code, OnError onError) {
    return executeWithRetry(nameOrId, ExecuteRequest.of(code), onError);
  }

  default ExecutionResult executeWithRetry(KernelRecord kernel, String code, OnError onError) {
    return executeWithRetry(kernel, ExecuteRequest.of(code), onError);
  }

  default ExecutionResult executeWithRetry(
      String nameOrId, String code, OnError onError, int maxAttempts) {
    return executeWithRetry(nameOrId, ExecuteRequest.of(code), onError, maxAttempts);
  }

  default ExecutionResult executeWithRetry(
      KernelRecord kernel, String code, OnError onError, int maxAttempts) {
    return executeWithRetry(kernel, ExecuteRequest.of(code), onError, maxAttempts);
  }

  @Override
  ExecutionResult executeWithRetry(String nameOrId, ExecuteRequest request, OnError onError);

  @Override
  ExecutionResult executeWithRetry(KernelRecord kernel, ExecuteRequest request, OnError onError);

  /// Runs code until it succeeds, `maxAttempts` times at most. Every attempt has an id of its own.
  ExecutionResult executeWithRetry(
      String nameOrId, ExecuteRequest request, OnError onError, int maxAttempts);

  ExecutionResult executeWithRetry(
      KernelRecord kernel, ExecuteRequest request, OnError onError, int maxAttempts);

  /// Asks for the end of an execution, whether it waits for its turn or runs.
  ///
  /// @return false when it has ended already
  boolean cancel(String executionId);

  /// The result of an execution, by whomever it was begun; waits if it still runs.
  ExecutionResult result(String executionId);

  /// Waits for the executions under way, cancelling them if the thread is interrupted, and lets go
  /// of the daemon, or of everything held in this process. Kernels live on, unless their registry
  /// is kept in memory and in this process.
  @Override
  void close();
}
