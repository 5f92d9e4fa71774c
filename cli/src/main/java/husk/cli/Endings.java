package husk.cli;

import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.spi.CommandEnd.Reason;

/// What the end of a command means to a shell, and to whoever wonders about it.
final class Endings {
  /// Husk itself failed, and says nothing about the command.
  static final int OWN_FAILURE = 125;

  static final int NOT_EXECUTABLE = 126;
  static final int NOT_FOUND = 127;

  private Endings() {}

  static int exitCode(CommandEnd end) {
    return end.reason() == Reason.SANDBOX_ENDED ? OWN_FAILURE : end.exitCode();
  }

  /// Of a command that could not be started at all.
  static int exitCode(Problem problem) {
    return switch (problem.code()) {
      case USAGE -> ExitCodes.USAGE;
      case NOT_FOUND_INSIDE -> NOT_FOUND;
      case NOT_EXECUTABLE -> NOT_EXECUTABLE;
      default -> OWN_FAILURE;
    };
  }

  /// One line for an end that is not the command's own doing; empty for one that is.
  static String explained(CommandEnd end, SandboxHandle sandbox, long timeoutMs) {
    return switch (end.reason()) {
      case EXITED, SIGNALLED, KILLED -> "";
      case TIMEOUT ->
          "husk: the command was ended after "
              + seconds(timeoutMs)
              + " s; `--timeout` allows more\n";
      case OUT_OF_MEMORY ->
          "husk: out of memory: the sandbox may use "
              + limit(sandbox, "memory_mb", " MB")
              + "; `--memory` allows more\n";
      case PROCESS_LIMIT ->
          "husk: too many processes: the sandbox may have "
              + limit(sandbox, "processes", "")
              + "; `--processes` allows more\n";
      case DISK_LIMIT ->
          "husk: no room left: the sandbox may keep "
              + limit(sandbox, "workspace_mb", " MB")
              + "; `--disk` allows more\n";
      case SANDBOX_ENDED -> "husk: the sandbox ended while the command ran\n";
    };
  }

  private static String seconds(long milliseconds) {
    return milliseconds % 1000 == 0
        ? String.valueOf(milliseconds / 1000)
        : String.valueOf(milliseconds / 1000.0);
  }

  private static String limit(SandboxHandle sandbox, String name, String unit) {
    long limit = sandbox.limit(name);
    return limit == 0 ? "no more than this machine gives" : limit + unit;
  }
}
