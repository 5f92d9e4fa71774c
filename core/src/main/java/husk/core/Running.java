package husk.core;

import husk.kernels.Cell;
import husk.model.ExecutionResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// An execution that has not ended: waiting for its turn, or running.
final class Running {
  final String executionId;
  final String kernelId;
  final Thread thread;
  final CompletableFuture<ExecutionResult> result = new CompletableFuture<>();
  private @Nullable Cell cell;
  private boolean cancelled;

  Running(String executionId, String kernelId, Thread thread) {
    this.executionId = executionId;
    this.kernelId = kernelId;
    this.thread = thread;
  }

  /// Marks that it has been sent; false when it was cancelled before.
  synchronized boolean sent(Cell sent) {
    cell = sent;
    return !cancelled;
  }

  /// Asks for its end. While it waits its thread is woken; once it runs, the caller interrupts the
  /// kernel, and this says so.
  synchronized boolean cancel() {
    cancelled = true;
    var present = cell;
    if (present == null || !present.hasBegun()) {
      thread.interrupt();
      return false;
    }
    return true;
  }

  synchronized boolean cancelled() {
    return cancelled;
  }
}
