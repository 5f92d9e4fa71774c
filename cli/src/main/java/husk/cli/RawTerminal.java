package husk.cli;

import husk.model.Problem;
import husk.spi.CommandSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The caller's terminal, in which every key goes to the command untouched until this is closed.
/// However this process ends, the terminal is as before.
final class RawTerminal implements AutoCloseable {
  private final String before;
  private final Thread atExit = new Thread(this::restore, "restore-terminal");

  private RawTerminal(String before) {
    this.before = before;
  }

  static RawTerminal enter() {
    var raw = new RawTerminal(stty("-g"));
    Runtime.getRuntime().addShutdownHook(raw.atExit);
    stty("raw", "-echo");
    return raw;
  }

  /// Its size, or the usual one where there is none to ask.
  static CommandSpec.Window window(Terminal terminal) {
    if (terminal.asksPerson()) {
      var size = stty("size").split(" ", -1);
      int rows = size.length == 2 ? number(size[0]) : 0;
      int columns = size.length == 2 ? number(size[1]) : 0;
      if (rows > 0 && columns > 0) {
        return new CommandSpec.Window(rows, columns);
      }
    }
    return new CommandSpec.Window(
        given(terminal.environment(), "LINES", 24), given(terminal.environment(), "COLUMNS", 80));
  }

  private static int given(Map<String, String> environment, String name, int otherwise) {
    int number = number(environment.getOrDefault(name, ""));
    return number > 0 ? number : otherwise;
  }

  private static int number(String text) {
    double number = Durations.number(text);
    return number > 0 && number < 65_536 ? (int) number : 0;
  }

  private void restore() {
    stty(before);
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException _) {
      // The process is ending, and does it once more.
    }
  }

  /// It works on standard input, which is inherited.
  private static String stty(String... words) {
    var command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command);
    builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      var process = builder.start();
      var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return out.strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.TOOL_MISSING,
              "the terminal cannot be prepared: `stty` cannot be run",
              "install coreutils, or do without a terminal: `< /dev/null`")
          .causedBy(e);
    }
  }
}
