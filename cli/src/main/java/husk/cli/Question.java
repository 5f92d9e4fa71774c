package husk.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Asks the person at the terminal, on standard error, so that what is printed stays whole.
final class Question {
  private Question() {}

  /// Whether the answer is yes; no answer is none.
  static boolean agreed(Terminal terminal, String text) {
    String said = answer(terminal, text);
    return said.equals("y") || said.equals("yes");
  }

  /// The answer in small letters; empty when there is none.
  static String answer(Terminal terminal, String text) {
    terminal.printError(text);
    try {
      return line(terminal).strip().toLowerCase(Locale.ROOT);
    } catch (IOException _) {
      return "";
    }
  }

  /// No more than a line: what follows is for whoever asks next.
  private static String line(Terminal terminal) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = terminal.in().read(); next >= 0 && next != '\n'; next = terminal.in().read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
