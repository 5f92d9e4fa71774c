package husk.cli;

import husk.local.UnixHttp;
import java.util.List;

/// The kernel that a command means: its first operand, unless `--name` or `--id` says it.
final class WhichKernel {
  private final Arguments arguments;
  private final boolean named;

  WhichKernel(Arguments arguments) {
    this.arguments = arguments;
    this.named = arguments.has("name") || arguments.has("id");
  }

  /// Its path.
  String path() {
    return "/kernels/" + segment();
  }

  /// The path of something about it.
  String path(String what) {
    return path() + "/" + what;
  }

  /// Its name or id as a part of a path.
  String segment() {
    return UnixHttp.segment(kernel());
  }

  private String kernel() {
    if (named) {
      return arguments.kernel();
    }
    var given = arguments.operand(0);
    if (given.isEmpty() || given.get().isEmpty()) {
      throw arguments.usage("NAME is missing: which kernel?");
    }
    return given.get();
  }

  /// The operands after it.
  List<String> rest() {
    return arguments.operandsFrom(named ? 0 : 1);
  }

  /// Refuses operands after it.
  WhichKernel alone() {
    if (!rest().isEmpty()) {
      throw arguments.usage("`" + rest().get(0) + "` is one kernel more than this takes");
    }
    return this;
  }
}
