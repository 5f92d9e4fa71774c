package husk;

import husk.local.UnixHttp;
import husk.model.Against;
import husk.model.Names;
import husk.model.Problem;

/// The paths of kernels and executions at the daemon.
final class Paths {
  private Paths() {}

  static String session(String name) {
    return "/sessions/" + segment(Names.require(name));
  }

  /// A path without a name in it would mean all kernels.
  static String kernel(String nameOrId) {
    if (nameOrId.isEmpty()) {
      throw new Problem(
          Problem.Code.KERNEL_NOT_FOUND, "Unknown kernel: the name is empty", "give it a name");
    }
    return "/kernels/" + segment(nameOrId);
  }

  static String checkpoint(String nameOrId, String checkpoint) {
    if (checkpoint.isEmpty()) {
      throw new Problem(
          Problem.Code.CHECKPOINT_NOT_FOUND, "Unknown checkpoint: its label or id is empty");
    }
    return kernel(nameOrId) + "/checkpoints/" + segment(checkpoint);
  }

  static String diff(String nameOrId, Against against) {
    var path = kernel(nameOrId) + "/diff";
    return switch (against) {
      case Against.Latest _ -> path;
      case Against.State(var checkpoint) -> path + "?checkpoint=" + UnixHttp.segment(checkpoint);
      case Against.Kernel(var other) -> path + "?with=" + UnixHttp.segment(other);
    };
  }

  static String execution(String executionId) {
    if (executionId.isEmpty()) {
      throw new Problem(Problem.Code.EXECUTION_NOT_FOUND, "Unknown execution: the id is empty");
    }
    return "/executions/" + segment(executionId);
  }

  /// `.` and `..` would lead elsewhere if they stood in a path as they are.
  private static String segment(String name) {
    return switch (name) {
      case ".", ".." -> "%2E".repeat(name.length());
      default -> UnixHttp.segment(name);
    };
  }
}
