package husk.spi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A process of this machine, as the kernel tells of it.
///
/// @param startTime in the kernel's ticks; tells it from a later one with the same number
public record ProcessStat(
    long pid, char state, long parent, long group, long session, long threads, long startTime) {

  private static final int THREADS = 17;
  private static final int START_TIME = 19;

  /// Empty when there is none.
  public static Optional<ProcessStat> of(long pid) {
    try {
      var file = Path.of("/proc", Long.toString(pid), "stat");
      return parse(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static Optional<ProcessStat> parse(String line) {
    // The command's name stands in brackets and may itself hold brackets and spaces.
    int close = line.lastIndexOf(')');
    if (close < 0) {
      return Optional.empty();
    }
    var fields = line.substring(close + 2).split(" ", -1);
    return Optional.of(
        new ProcessStat(
            Long.parseLong(line.substring(0, line.indexOf(' '))),
            fields[0].charAt(0),
            Long.parseLong(fields[1]),
            Long.parseLong(fields[2]),
            Long.parseLong(fields[3]),
            Long.parseLong(fields[THREADS]),
            Long.parseLong(fields[START_TIME])));
  }

  /// Whether it has ended, and only waits for its parent to notice. One whose first thread has
  /// ended looks the same, and runs on in its others.
  public boolean zombie() {
    return state == 'X' || (state == 'Z' && threads <= 1);
  }
}
