package husk;

import husk.local.Frames;
import husk.local.HttpAnswer;
import husk.model.ExecutionResult;
import husk.model.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/// One execution asked of the daemon, and seen to its end even if the daemon is lost meanwhile.
///
/// The id is chosen here and an execution is in the registry before its kernel hears of it. So the
/// next daemon either knows it, and its result is waited for; or it never began, and is sent again.
final class RemoteExecution {
  private static final int MOST_LOSSES = 10;
  private static final Map<String, String> STREAMED = Map.of("Accept", Frames.MEDIA_TYPE);

  private final Connections connections;
  private final String executionId;
  private final String target;
  private final byte[] body;
  private final Hearing hearing;
  private final boolean registryLasts;

  /// @param registryLasts whether a later daemon knows what an earlier one began
  RemoteExecution(
      Connections connections,
      String executionId,
      Target target,
      byte[] body,
      Hearing hearing,
      boolean registryLasts) {
    this.connections = connections;
    this.executionId = executionId;
    this.target = Paths.kernel(target.identifier()) + "/execute";
    this.body = body;
    this.hearing = hearing;
    this.registryLasts = registryLasts;
  }

  ExecutionResult run() {
    for (int losses = 0; ; losses++) {
      try {
        return send();
      } catch (IOException e) {
        var lost = connections.lost(e);
        var result = afterLoss();
        if (result.isPresent()) {
          return result.get();
        }
        if (!registryLasts || losses == MOST_LOSSES) {
          throw Connections.unavailable(lost);
        }
      }
    }
  }

  /// What the next daemon knows of it, waited for; empty if it never began.
  private Optional<ExecutionResult> afterLoss() {
    var result =
        Problems.absent(
            Problem.Code.EXECUTION_NOT_FOUND, () -> Results.await(connections, executionId));
    result.ifPresent(hearing::catchUp);
    return result;
  }

  private ExecutionResult send() throws IOException {
    var connection = connections.take();
    try {
      var answer =
          connection.request("POST", target, hearing.wanted() ? STREAMED : Reply.ACCEPTED, body);
      return read(answer);
    } finally {
      connections.give(connection);
    }
  }

  private ExecutionResult read(HttpAnswer answer) throws IOException {
    if (!hearing.wanted() || answer.failed()) {
      return new Reply(answer.status(), answer.body().readAllBytes()).as(ExecutionResult.class);
    }
    var result = EventFrames.play(answer.body(), hearing);
    finish(answer.body());
    return result;
  }

  /// Reads to the end, so that the connection can be used again; by now its loss is no matter.
  private static void finish(InputStream rest) {
    try {
      var _ = rest.readAllBytes();
    } catch (IOException _) {
      // It will not be used again.
    }
  }
}
