package husk.api.form;

import husk.model.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The limits of a sandbox or of a kernel's own, in the spellings that bodies may use.
public final class Limits {
  public static final Field BY_NAME =
      Field.optional(
              "limits",
              new MapOfWhole(),
              "memory_mb, cpu_percent, processes, open_files, file_size_mb,"
                  + " workspace_mb, tmp_mb.")
          .like(Map.of("memory_mb", 256));

  public static final Field MEMORY =
      Field.optional("memory_mb", new Whole(1), "Another spelling of `limits.memory_mb`.");

  public static final Field PROCESSORS =
      Field.optional(
          "vcpus", new Real(0.01, 10_000), "The same as `limits.cpu_percent`, in cores.");

  private Limits() {}

  /// All of them together, by their names.
  public static Map<String, Long> of(
      Map<String, Long> limits, Optional<Long> memoryMb, Optional<Double> vcpus) {
    var all = new HashMap<>(limits);
    memoryMb.ifPresent(megabytes -> add(all, "memory_mb", megabytes, "memory_mb"));
    vcpus.ifPresent(cpus -> add(all, "cpu_percent", Math.round(cpus * 100), "vcpus"));
    return all;
  }

  private static void add(Map<String, Long> all, String name, long value, String spelled) {
    if (all.put(name, value) != null) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "both `" + spelled + "` and `limits." + name + "` are given",
          "send one of them");
    }
  }
}
