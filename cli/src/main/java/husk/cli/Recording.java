package husk.cli;

import husk.local.JsonText;
import husk.model.Problem;
import husk.spi.CommandSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/// A terminal's output as asciicast v2: a line about it, then one line per piece of output with the
/// time at which it came.
final class Recording implements Output, AutoCloseable {
  private final OutputStream file;
  private final Output onward;
  private final Utf8Pieces text = new Utf8Pieces();
  private final long began = System.nanoTime();

  private Recording(OutputStream file, Output onward) {
    this.file = file;
    this.onward = onward;
  }

  /// The file meant: a folder gets one named after the sandbox and the time.
  static Path place(String given, String sandbox, Terminal terminal) {
    var path = Path.of(Creation.absolute(given, terminal));
    if (!Files.isDirectory(path) && !given.endsWith("/")) {
      return path;
    }
    var time =
        LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    return path.resolve(sandbox + "-" + time + ".cast");
  }

  static Recording open(Path path, CommandSpec spec, Output onward) throws IOException {
    var window = spec.window().orElse(new CommandSpec.Window(24, 80));
    var about = new JsonText().number("version", 2).number("width", window.columns());
    about.number("height", window.rows());
    about.number("timestamp", Clock.systemUTC().millis() / 1000);
    var env = new JsonText().text("SHELL", spec.argv().get(0));
    about.object("env", env.text("TERM", spec.env().getOrDefault("TERM", "")));
    try {
      var folder = path.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      var recording = new Recording(Files.newOutputStream(path), onward);
      recording.line(about.toString());
      return recording;
    } catch (FileSystemException e) {
      throw FileProblems.of(e);
    }
  }

  @Override
  public void write(boolean error, byte[] bytes) {
    onward.write(error, bytes);
    record("o", text.take(bytes));
  }

  @Override
  public void resized(CommandSpec.Window window) {
    record("r", window.columns() + "x" + window.rows());
  }

  /// Output and changes of size come from two threads.
  private synchronized void record(String kind, String data) {
    if (data.isEmpty()) {
      return;
    }
    try {
      line("[" + time() + ", \"" + kind + "\", " + JsonText.quoted(data) + "]");
    } catch (IOException e) {
      throw new Problem(Problem.Code.INTERNAL, "the recording cannot be written: " + e.getMessage())
          .causedBy(e);
    }
  }

  /// Seconds with six digits after the point.
  private String time() {
    long micros = (System.nanoTime() - began) / 1000;
    String fraction = String.valueOf(1_000_000 + micros % 1_000_000).substring(1);
    return micros / 1_000_000 + "." + fraction;
  }

  private void line(String line) throws IOException {
    file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
