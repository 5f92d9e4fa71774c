package husk.model;

import java.time.Instant;

/// What a listener hears of a running execution, in order; [Ended] is always the last.
public sealed interface ExecutionEvent {

  /// The cell began to run; its clock starts here.
  record Started(String executionId, Instant at) implements ExecutionEvent {}

  /// Text written to `stdout` or `stderr`, never cut.
  record Stream(String name, String text) implements ExecutionEvent {}

  /// Something shown: a display, or the value of the last expression.
  record Display(OutputItem item) implements ExecutionEvent {}

  /// A display shown earlier has changed.
  record DisplayUpdated(String displayId, OutputItem item) implements ExecutionEvent {}

  /// What was shown so far is to be cleared, at once or when the next output comes.
  record Cleared(boolean onNextOutput) implements ExecutionEvent {}

  /// It is over.
  record Ended(ExecutionResult result) implements ExecutionEvent {}

  /// Takes events as they come, on the thread that reads them from the kernel: a listener that
  /// blocks holds the kernel back, so nothing is lost and nothing piles up.
  @FunctionalInterface
  interface Listener {
    void on(ExecutionEvent event);

    /// Hears nothing.
    Listener NONE = _ -> {};
  }
}
