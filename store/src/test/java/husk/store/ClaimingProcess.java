package husk.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// A process of its own that, once told to, opens a registry and claims one name in four threads.
final class ClaimingProcess {
  private ClaimingProcess() {}

  static final int THREADS = 4;

  public static void main(String[] arguments) throws Exception {
    System.out.println("ready");
    if (System.in.read() < 0) {
      return;
    }
    try (var registry = SqliteRegistry.open(Path.of(arguments[0]));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var claims = new ArrayList<Callable<String>>();
      for (int i = 0; i < THREADS; i++) {
        claims.add(() -> claim(registry, arguments[1]));
      }
      for (var claim : threads.invokeAll(claims)) {
        System.out.println(claim.get());
      }
    }
  }

  private static String claim(Registry registry, String name) {
    var candidate = Kernels.named(name);
    var holder = registry.claim(candidate);
    boolean won = holder.kernelId().equals(candidate.kernelId());
    return (won ? "won " : "lost ") + holder.kernelId();
  }
}
