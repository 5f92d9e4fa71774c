package husk.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// One line per event on standard error, which the launcher sends to the daemon's log.
final class Logs {
  private Logs() {}

  static void configure() {
    var root = Logger.getLogger("");
    for (var handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    var handler = new ConsoleHandler();
    handler.setFormatter(new Line());
    root.addHandler(handler);
    Logger.getLogger("io.helidon").setLevel(Level.WARNING);
  }

  private static final class Line extends Formatter {
    @Override
    public String format(LogRecord event) {
      var text = new StringWriter();
      text.append(event.getInstant().toString())
          .append(' ')
          .append(event.getLevel().getName())
          .append(' ')
          .append(event.getLoggerName())
          .append(": ")
          .append(formatMessage(event))
          .append('\n');
      var thrown = event.getThrown();
      if (thrown != null) {
        thrown.printStackTrace(new PrintWriter(text, true));
      }
      return text.toString();
    }
  }
}
