package husk.gateway;

import husk.kernels.Threads;
import husk.model.Problem;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/// Reads what a gateway prints: keeps the end of it, and passes on what is important enough.
final class GatewayLog {
  private static final int KEPT_LINES = 12;

  /// Python's names for the levels, the least important first.
  private static final List<String> LEVELS =
      List.of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL");

  private final String level;
  private final boolean toStderr;
  private final Deque<String> last = new ArrayDeque<>();

  GatewayLog(String level, boolean toStderr) {
    this.level = level.toUpperCase(Locale.ROOT);
    this.toStderr = toStderr;
    if (!LEVELS.contains(this.level)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + level + "` is no log level",
          "use one of " + String.join(", ", LEVELS));
    }
  }

  void follow(BufferedReader output) {
    Threads.start("husk-gateway-log", () -> read(output));
  }

  private void read(BufferedReader output) {
    boolean passing = true;
    try (output) {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        keep(line);
        // Lines without a level go with the one before them: they are stack traces.
        passing = rank(line) < 0 ? passing : rank(line) >= LEVELS.indexOf(level);
        if (toStderr && passing) {
          System.err.println(line);
        }
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /// How important a line is; -1 if it does not say.
  private static int rank(String line) {
    var words = line.split(" ", 3);
    return switch (words.length < 3 ? "" : words[1]) {
      case "FINE", "FINER", "FINEST", "CONFIG" -> 0;
      case "INFO" -> 1;
      case "WARNING" -> 2;
      case "SEVERE" -> 3;
      default -> -1;
    };
  }

  private synchronized void keep(String line) {
    last.addLast(line);
    if (last.size() > KEPT_LINES) {
      last.removeFirst();
    }
  }

  /// The end of what was printed.
  synchronized String end() {
    return String.join("\n", last);
  }
}
