package husk.store;

import java.time.Instant;
import java.util.Optional;

/// One execution as the registry keeps it: running until it has a result.
///
/// @param executionId chosen by the caller, unique among all kernels' executions
/// @param kernelId the kernel that runs it
/// @param messageId the Jupyter message that asked for it
/// @param requestJson what was asked
/// @param startedAt when it began
/// @param endedAt when it ended, once it has
/// @param resultJson what it gave, once it has ended
public record ExecutionRow(
    String executionId,
    String kernelId,
    String messageId,
    String requestJson,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<String> resultJson) {

  public ExecutionRow {
    if (endedAt.isPresent() != resultJson.isPresent()) {
      throw new IllegalArgumentException("an execution has both an end and a result, or neither");
    }
  }

  /// An execution that has just begun.
  public static ExecutionRow running(
      String executionId,
      String kernelId,
      String messageId,
      String requestJson,
      Instant startedAt) {
    return new ExecutionRow(
        executionId,
        kernelId,
        messageId,
        requestJson,
        startedAt,
        Optional.empty(),
        Optional.empty());
  }

  public boolean finished() {
    return resultJson.isPresent();
  }
}
