package husk.cli;

import husk.cli.people.View;
import husk.model.Problem;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What surrounds one call of the command: its streams, its environment, its folder.
///
/// Output is written as bytes and at once, so that streamed output passes through unchanged.
final class Terminal {
  private final InputStream in;
  private final OutputStream out;
  private final OutputStream err;
  private final Map<String, String> environment;
  private final String cwd;
  private volatile @Nullable Waiting waiting;
  private @Nullable View view;

  Terminal(
      InputStream in,
      OutputStream out,
      OutputStream err,
      Map<String, String> environment,
      String cwd) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.environment = environment;
    this.cwd = cwd;
  }

  static Terminal system() {
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        System.getenv(),
        System.getProperty("user.dir", "/"));
  }

  Map<String, String> environment() {
    return environment;
  }

  String cwd() {
    return cwd;
  }

  InputStream in() {
    return in;
  }

  OutputStream out() {
    stopShowing();
    return out;
  }

  /// Has this stop when there is something else to show.
  void showing(Waiting shown) {
    waiting = shown;
  }

  void stopShowing() {
    var shown = waiting;
    if (shown != null) {
      waiting = null;
      shown.end();
    }
  }

  /// From here on answers are shown to a person, this way.
  void speakToPerson(View words) {
    view = words;
  }

  boolean speaksToPerson() {
    return view != null;
  }

  /// An answer in JSON, or what a person is told instead.
  void answer(byte[] json) {
    var words = view;
    if (words == null) {
      print(json);
    } else {
      print(Printable.lines(words.of(new String(json, StandardCharsets.UTF_8))));
    }
  }

  byte[] readAll() throws IOException {
    return in.readAllBytes();
  }

  void print(String text) {
    print(text.getBytes(StandardCharsets.UTF_8));
  }

  void print(byte[] bytes) {
    stopShowing();
    try {
      out.write(bytes);
    } catch (IOException e) {
      if (!nobodyReads(e)) {
        throw new Problem(
                Problem.Code.INTERNAL, "standard output cannot be written to: " + e.getMessage())
            .causedBy(e);
      }
      throw new OutputClosed();
    }
  }

  private static boolean nobodyReads(IOException e) {
    var message = e.getMessage();
    return message == null || message.contains("Broken pipe") || message.contains("closed");
  }

  void printError(String text) {
    printError(text.getBytes(StandardCharsets.UTF_8));
  }

  void printError(byte[] bytes) {
    stopShowing();
    tell(bytes);
  }

  private void tell(byte[] bytes) {
    try {
      err.write(bytes);
    } catch (IOException _) {
      // There is no other place to say it.
    }
  }

  /// What is said while there is nothing to show yet.
  void tellPerson(String text) {
    tell(text.getBytes(StandardCharsets.UTF_8));
  }

  /// What a command says on standard error. Nobody listening any more ends it, as it would without
  /// Husk in between; without that it would go on for ever.
  void passError(byte[] bytes) {
    stopShowing();
    try {
      err.write(bytes);
    } catch (IOException e) {
      if (nobodyReads(e)) {
        throw new OutputClosed();
      }
    }
  }

  /// Whether standard input comes from a person.
  boolean asksPerson() {
    return terminal(0);
  }

  /// Whether a person sits at both ends, and this process is the one they talk to: a job in the
  /// background would be stopped for reading.
  boolean interactive() {
    return terminal(0) && terminal(1) && inForeground();
  }

  /// Whether standard input may be read without being stopped for it.
  boolean mayRead() {
    return !terminal(0) || inForeground();
  }

  /// Whether standard output goes to a person.
  boolean showsPerson() {
    return terminal(1);
  }

  /// Whether answers are for a person, who has not asked for JSON by a variable.
  boolean forPerson() {
    return showsPerson() && environment.getOrDefault("HUSK_JSON", "").isEmpty();
  }

  /// Whether standard error goes to a person.
  boolean errorsToPerson() {
    return terminal(2) && !"dumb".equals(environment.get("TERM"));
  }

  boolean colourOutput() {
    return colour() && terminal(1);
  }

  boolean colourErrors() {
    return colour() && terminal(2);
  }

  boolean debug() {
    return "1".equals(environment.get("HUSK_DEBUG"));
  }

  private boolean colour() {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !"dumb".equals(environment.get("TERM"));
  }

  /// Field 5 of the process's line is its group, field 8 the one that has the terminal.
  private static boolean inForeground() {
    try {
      String line = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", 8);
      return fields[2].equals(fields[5]);
    } catch (IOException | RuntimeException _) {
      return true;
    }
  }

  /// `System.console` knows only about input and output together, and loads far more.
  private static boolean terminal(int descriptor) {
    try {
      var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | RuntimeException _) {
      return false;
    }
  }
}
