package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Limits;
import java.util.Map;

/// The limits somebody names, over those of the profile.
final class LimitWords {
  private LimitWords() {}

  static Limits apply(Limits limits, Map<String, Long> asked) {
    var result = limits;
    for (var entry : asked.entrySet()) {
      result = apply(result, entry.getKey(), possible(entry.getKey(), entry.getValue()));
    }
    return result;
  }

  private static Limits apply(Limits limits, String name, long value) {
    return switch (name) {
      case "memory_mb" -> limits.withMemoryMb(value);
      case "cpu_percent" -> limits.withCpuPercent(value);
      case "processes" -> limits.withProcesses(value);
      case "open_files" -> limits.withOpenFiles(value);
      case "file_size_mb" -> limits.withFileSizeMb(value);
      case "workspace_mb" -> limits.withWorkspaceMb(value);
      case "tmp_mb" -> limits.withTmpMb(value);
      default ->
          throw new Problem(
              Problem.Code.INVALID_REQUEST,
              "there is no limit `" + name + "`",
              "use memory_mb, cpu_percent, processes, open_files, file_size_mb, workspace_mb or"
                  + " tmp_mb");
    };
  }

  private static long possible(String name, long value) {
    long least = least(name);
    if (value < least || value > 1L << 40) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "the limit `" + name + "` cannot be " + value,
          "give a number from " + least + " up, or leave it out");
    }
    return value;
  }

  /// With less than this the walls themselves cannot be built, or nothing can be started in them.
  private static long least(String name) {
    return switch (name) {
      case "memory_mb", "processes" -> 4;
      case "open_files" -> 32;
      default -> 1;
    };
  }
}
