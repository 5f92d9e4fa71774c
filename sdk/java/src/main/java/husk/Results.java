package husk;

import husk.model.ExecutionResult;

/// Fetches the results of executions from the daemon.
final class Results {
  private static final int STILL_RUNNING = 202;
  private static final long PAUSE_MILLIS = 20;

  private Results() {}

  /// The result, waited for.
  static ExecutionResult await(Connections connections, String executionId) {
    while (true) {
      var reply = connections.ask("GET", Paths.execution(executionId) + "?wait=1", Bodies.NONE);
      if (reply.status() != STILL_RUNNING) {
        return reply.as(ExecutionResult.class);
      }
      // Another process than the daemon runs it; its result will be in the registry.
      Pauses.pause(PAUSE_MILLIS);
    }
  }
}
