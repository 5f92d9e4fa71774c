package husk.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The processes that tests of this JVM started: its descendants, and whoever carries the marker.
final class Processes {
  private Processes() {}

  private static final Path PROC = Path.of("/proc");

  /// A process. Its start tells it from another of the same pid; its command may change.
  record Live(long pid, String startTime, String command) {
    String identity() {
      return "process " + pid + " of " + startTime;
    }
  }

  static List<Live> ofTests() {
    long self = ProcessHandle.current().pid();
    var descendants =
        ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    try (var entries = Files.list(PROC)) {
      return entries
          .filter(entry -> entry.getFileName().toString().matches("[0-9]+"))
          .filter(entry -> pid(entry) != self)
          .filter(entry -> descendants.contains(pid(entry)) || marked(entry))
          .flatMap(entry -> look(entry).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long pid(Path entry) {
    return Long.parseLong(entry.getFileName().toString());
  }

  private static boolean marked(Path entry) {
    var variable = "\0" + LeakDetector.VARIABLE + "=" + LeakDetector.marker() + "\0";
    return ("\0" + read(entry.resolve("environ"))).contains(variable);
  }

  /// Empty for one that has just gone, and for a zombie: it has ended, and reaping it is its
  /// parent's business.
  private static Optional<Live> look(Path entry) {
    var stat = read(entry.resolve("stat"));
    var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (fields.length < 20 || fields[0].equals("Z") || fields[0].equals("X")) {
      return Optional.empty();
    }
    var command = read(entry.resolve("cmdline")).replace('\0', ' ').strip();
    return Optional.of(new Live(pid(entry), fields[19], command));
  }

  /// Empty when it is gone or someone else's.
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
