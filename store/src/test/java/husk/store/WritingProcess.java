package husk.store;

import java.nio.file.Path;
import java.time.Instant;

/// A process of its own that writes to a registry until it is killed.
final class WritingProcess {
  private WritingProcess() {}

  public static void main(String[] arguments) {
    try (var registry = SqliteRegistry.open(Path.of(arguments[0]))) {
      for (int round = 0; round < 1_000_000; round++) {
        write(registry, "%s-%d".formatted(ProcessHandle.current().pid(), round));
        System.out.println(round);
      }
    }
  }

  private static void write(Registry registry, String name) {
    var kernel = registry.claim(Kernels.named(name), name, Integer.MAX_VALUE);
    var id = kernel.kernelId();
    for (int i = 0; i < 5; i++) {
      var execution = name + "-" + i;
      registry.begin(ExecutionRow.running(execution, id, "m", "{}", Instant.now()));
      registry.finish(execution, "x".repeat(20_000), Instant.now());
      // Two fields that only ever change together.
      registry.update(id, present -> Kernels.counted(present));
    }
    if (name.endsWith("5")) {
      registry.remove(id);
    }
  }
}
