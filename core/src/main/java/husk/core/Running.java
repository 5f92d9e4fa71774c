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

  /// Marks that its turn has come; false when it was cancelled before. From here on nobody
  /// interrupts its thread, which would close the kernel's connection under it.
  synchronized boolean begin(Cell begun) {
    cell = begun;
    if (cancelled) {
      Thread.interrupted();
    }
    return !cancelled;
  }

  /// Asks for its end. While it waits for its turn its thread is woken; once it runs in the kernel,
  /// the caller has to interrupt that, and this says so.
  synchronized boolean cancel() {
    cancelled = true;
    var present = cell;
    if (present == null) {
      thread.interrupt();
    }
    return present != null && present.hasBegun();
  }

  synchronized boolean cancelled() {
    return cancelled;
  }
}
