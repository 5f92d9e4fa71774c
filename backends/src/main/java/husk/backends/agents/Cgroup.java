package husk.backends.agents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One folder of a cgroup hierarchy, made for one sandbox.
///
/// @param folder where it is
/// @param version 1 or 2
record Cgroup(Path folder, int version) {
  /// Kernels without swap have no files for it.
  private static final Set<String> OPTIONAL =
      Set.of("memory.memsw.limit_in_bytes", "memory.swappiness", "memory.swap.max");

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Makes it and sets its limits; empty when this process may not, or the hierarchy lacks the
  /// files. What was half made is removed again.
  static Optional<Cgroup> make(Path folder, int version, Map<String, String> limits) {
    var cgroup = new Cgroup(folder, version);
    try {
      Files.createDirectory(folder);
      for (var limit : limits.entrySet()) {
        set(folder.resolve(limit.getKey()), limit.getValue());
      }
      return Optional.of(cgroup);
    } catch (IOException | UnsupportedOperationException e) {
      cgroup.remove();
      return Optional.empty();
    }
  }

  private static void set(Path file, String value) throws IOException {
    if (Files.exists(file) || !OPTIONAL.contains(file.getFileName().toString())) {
      Files.writeString(file, value);
    }
  }

  /// How often the kernel killed something in it for want of memory.
  long memoryKills() {
    return counter(version == 1 ? "memory.oom_control" : "memory.events", "oom_kill ");
  }

  private long counter(String file, String name) {
    try (var lines = Files.lines(folder.resolve(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  /// Its last processes may still be on their way out. What stands outside the sandbox, such as the
  /// checkpoints of its kernels, does not end with it by itself.
  void remove() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (Files.exists(folder)) {
      try {
        Files.deleteIfExists(folder);
      } catch (IOException busy) {
        if (System.nanoTime() > deadline) {
          return;
        }
        kill();
        Waiting.briefly();
      }
    }
  }

  private void kill() {
    try (var pids = Files.lines(folder.resolve("cgroup.procs"))) {
      pids.map(Long::parseLong)
          .flatMap(pid -> ProcessHandle.of(pid).stream())
          .forEach(ProcessHandle::destroyForcibly);
    } catch (IOException | UncheckedIOException gone) {
      // with its last process
    }
  }
}
