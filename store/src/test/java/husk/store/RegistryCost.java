package husk.store;

import husk.model.Ids;
import husk.model.KernelRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/// Prints what the registry adds to every execution; no test, because it measures time. Takes the
/// folder to work in.
final class RegistryCost {
  private RegistryCost() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Files.createTempDirectory(Path.of(arguments[0]), "husk-cost-");
    var file = folder.resolve("registry.db");
    try (var registry = SqliteRegistry.open(file)) {
      var kernel = registry.claim(Kernels.named("cost"));
      measure(registry, kernel, 20_000);
      var costs = measure(registry, kernel, 20_000);
      Arrays.sort(costs);
      System.out.printf(
          "begin+finish of 1 kB results: median %.0f us, p99 %.0f us, mean %.0f us%n",
          costs[costs.length / 2] / 1e3,
          costs[costs.length * 99 / 100] / 1e3,
          Arrays.stream(costs).average().orElseThrow() / 1e3);
    }
    Files.delete(file);
    Files.delete(folder);
  }

  private static long[] measure(Registry registry, KernelRecord kernel, int count) {
    var request = "{\"code\":\"1+1\"}";
    var result = "x".repeat(1000);
    var costs = new long[count];
    for (int i = 0; i < count; i++) {
      var id = Ids.fresh();
      long start = System.nanoTime();
      registry.begin(ExecutionRow.running(id, kernel.kernelId(), id, request, Instant.now()));
      registry.finish(id, result, Instant.now());
      costs[i] = System.nanoTime() - start;
    }
    return costs;
  }
}
