package husk.core;

import husk.model.ExecutionResult;
import java.time.Duration;

/// Is told what happens, to count it. It is told on the thread that did it, and is to be quick.
public interface Observer {
  /// An execution has ended, whoever asked for it.
  void executed(ExecutionResult result);

  /// A kernel has been started.
  void started(Duration took);
}
