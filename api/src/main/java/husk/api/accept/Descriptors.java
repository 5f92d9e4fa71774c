package husk.api.accept;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// The file descriptors of this process: kernels, sandboxes and files need some as well as
/// connections do.
final class Descriptors {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path OPEN = Path.of("/proc/self/fd");
  private static final Pattern FILES = Pattern.compile("Max open files\\s+(\\d+)");
  private static final long UNKNOWN = 1024;
  private static final long LEAST_KEPT = 64;
  private static final long LOOK_NANOS = 50_000_000;

  private final long limit = limit();
  private long looked = System.nanoTime() - LOOK_NANOS;
  private boolean scarce;

  /// How many there may be.
  static long limit() {
    try {
      var found = FILES.matcher(Files.readString(LIMITS));
      return found.find() ? Long.parseLong(found.group(1)) : Long.MAX_VALUE;
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /// Whether so many are open that the rest is kept for other things than connections.
  synchronized boolean scarce() {
    long now = System.nanoTime();
    if (now - looked >= LOOK_NANOS) {
      looked = now;
      scarce = open() > limit - Math.max(LEAST_KEPT, limit / 8);
    }
    return scarce;
  }

  private static long open() {
    try (var all = Files.list(OPEN)) {
      return all.count();
    } catch (IOException e) {
      // Looking takes one, too.
      return Long.MAX_VALUE;
    }
  }
}
