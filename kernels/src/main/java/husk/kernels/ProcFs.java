package husk.kernels;

import husk.model.KernelProcess;
import java.io.IOException;
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

  /// One line of `/proc/PID/stat`, as far as Husk cares.
  public record Stat(long pid, char state, long parent, long group, long session, long startTime) {

    /// Ended, and only waiting for its parent to notice.
    boolean zombie() {
      return state == 'Z' || state == 'X';
    }
  }

  public static Optional<Stat> stat(long pid) {
    return read(PROC.resolve(Long.toString(pid)).resolve("stat")).flatMap(ProcFs::parse);
  }

  private static Optional<Stat> parse(String line) {
    // The command's name stands in brackets and may itself hold brackets and spaces.
    int close = line.lastIndexOf(')');
    if (close < 0) {
      return Optional.empty();
    }
    long pid = Long.parseLong(line.substring(0, line.indexOf(' ')));
    var fields = line.substring(close + 2).split(" ");
    return Optional.of(
        new Stat(
            pid,
            fields[0].charAt(0),
            Long.parseLong(fields[1]),
            Long.parseLong(fields[2]),
            Long.parseLong(fields[3]),
            Long.parseLong(fields[19])));
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

  /// How often the system has killed a process for want of memory since it was booted.
  public static long outOfMemoryKills() {
    return read(PROC.resolve("vmstat")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("oom_kill "))
        .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
        .findFirst()
        .orElse(0);
  }

  /// Every process there is, zombies left out.
  public static List<Stat> all() {
    var found = new ArrayList<Stat>();
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
