package husk.kernels;

import husk.model.KernelProcess;
import husk.spi.ProcessStat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what the system knows of processes.
public final class ProcFs {
  private static final Path PROC = Path.of("/proc");

  private ProcFs() {}

  public static Optional<ProcessStat> stat(long pid) {
    return ProcessStat.of(pid);
  }

  /// Whether this very process, not a later one with its pid, still runs.
  public static boolean alive(KernelProcess process) {
    return stat(process.pid())
        .filter(stat -> !stat.zombie())
        .filter(stat -> process.startTime() == 0 || stat.startTime() == process.startTime())
        .isPresent();
  }

  /// Resident bytes.
  public static Optional<Long> memory(long pid) {
    return read(PROC.resolve(Long.toString(pid)).resolve("statm"))
        .map(line -> Long.parseLong(line.split(" ")[1]) * 4096);
  }

  /// Its share of memory in bytes: what several processes have in common counts for each in part.
  public static Optional<Long> proportionalMemory(long pid) {
    return read(PROC.resolve(Long.toString(pid)).resolve("smaps_rollup")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("Pss:"))
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst();
  }

  /// How often the system has killed a process for want of memory since it was booted.
  public static long outOfMemoryKills() {
    return outOfMemoryKills(PROC.resolve("vmstat"));
  }

  /// The same of those that a file of the kernel counts, such as a control group's.
  public static long outOfMemoryKills(Path counter) {
    return read(counter).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("oom_kill "))
        .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
        .findFirst()
        .orElse(0);
  }

  /// Every process there is, zombies left out.
  public static List<ProcessStat> all() {
    var found = new ArrayList<ProcessStat>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (var entry : entries) {
        stat(Long.parseLong(entry.getFileName().toString()))
            .filter(stat -> !stat.zombie())
            .ifPresent(found::add);
      }
    } catch (IOException e) {
      return List.of();
    }
    return found;
  }

  /// The processes of a control group, zombies left out; every one there is if it cannot be asked.
  public static List<ProcessStat> in(Path group) {
    try (var pids = Files.lines(group.resolve("cgroup.procs"))) {
      return pids.map(Long::parseLong)
          .flatMap(pid -> stat(pid).stream())
          .filter(stat -> !stat.zombie())
          .toList();
    } catch (IOException | UncheckedIOException gone) {
      return all();
    }
  }

  /// The value of a variable in the environment a process was started with.
  public static Optional<String> environment(long pid, String name) {
    return read(PROC.resolve(Long.toString(pid)).resolve("environ")).stream()
        .flatMap(text -> List.of(text.split("\0")).stream())
        .filter(entry -> entry.startsWith(name + "="))
        .map(entry -> entry.substring(name.length() + 1))
        .findFirst();
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
