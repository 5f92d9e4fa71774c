package husk.cli;

import husk.local.HttpAnswer;
import husk.model.Problem;

/// What the command's exit code says.
final class ExitCodes {
  static final int SUCCESS = 0;

  /// The command worked, the code did not; or the kernel asked about is dead or was not there.
  static final int FAILED = 1;

  static final int USAGE = 2;
  static final int NOT_FOUND = 3;

  /// Something the command needs is not there or does not work.
  static final int UNAVAILABLE = 4;

  static final int CONFLICT = 5;

  /// A value that is refused.
  static final int REFUSED = 6;

  static final int INTERNAL = 70;

  /// As if by SIGPIPE.
  static final int OUTPUT_CLOSED = 141;

  private ExitCodes() {}

  static int of(Problem.Code code) {
    return switch (code) {
      case USAGE -> USAGE;
      case KERNEL_NOT_FOUND,
          KERNELSPEC_NOT_FOUND,
          EXECUTION_NOT_FOUND,
          ENVIRONMENT_NOT_FOUND,
          SESSION_NOT_FOUND,
          LISTENER_NOT_FOUND,
          SANDBOX_NOT_FOUND,
          CHECKPOINT_NOT_FOUND,
          NOT_FOUND_INSIDE ->
          NOT_FOUND;
      case ENVIRONMENT_BROKEN,
          KERNEL_START_FAILED,
          KERNEL_UNRESPONSIVE,
          DAEMON_UNAVAILABLE,
          TOOL_MISSING,
          CAPACITY_EXHAUSTED,
          OVERLOADED,
          ADDRESS_UNAVAILABLE,
          SANDBOX_FAILED,
          COPY_FAILED,
          ISOLATION_UNAVAILABLE,
          PROCESS_LIMIT,
          DISK_LIMIT ->
          UNAVAILABLE;
      case KERNEL_ALREADY_EXISTS,
          SANDBOX_ALREADY_EXISTS,
          SANDBOX_NOT_RUNNING,
          COPY_REFUSED,
          PREVIEW_OPEN ->
          CONFLICT;
      case INVALID_REQUEST,
          INVALID_NAME,
          INVALID_SETTING,
          LANGUAGE_UNSUPPORTED,
          CAPABILITY_MISSING,
          UNAUTHENTICATED,
          FORBIDDEN,
          NOT_OPEN_OVER_TCP,
          PROJECT_NOT_TRUSTED,
          NOT_EXECUTABLE,
          TOO_LARGE,
          TOO_SLOW ->
          REFUSED;
      case STORE_FAILED, INTERNAL -> INTERNAL;
    };
  }

  /// Of an answer, by what its head says.
  static int of(HttpAnswer answer) {
    if (answer.failed()) {
      return of(Problem.Code.of(answer.header("Husk-Problem").orElse("internal")));
    }
    boolean alive = !answer.header("Husk-Alive").orElse("true").equals("false");
    return alive ? ofStatus(answer.header("Husk-Status").orElse("success")) : FAILED;
  }

  /// Of an execution.
  static int ofStatus(String status) {
    return status.equals("success") ? SUCCESS : FAILED;
  }
}
