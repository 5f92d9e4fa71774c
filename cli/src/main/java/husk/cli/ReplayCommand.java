package husk.cli;

import husk.local.JsonPeek;
import husk.model.Problem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Plays a recorded session.
final class ReplayCommand implements Command {
  private static final double MOST_SPEED = 1e9;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String summary() {
    return "Play a recorded session (asciicast v2)";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("speed", "FACTOR", "How many times as fast; default 1").as("s"),
      Option.of("max-idle", "SECONDS", "The longest pause; default 2")
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"FILE"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    double speed = arguments.number("speed").orElse(1.0);
    if (speed <= 0 || speed > MOST_SPEED) {
      throw arguments.usage("`--speed` is " + speed + ", which is no speed");
    }
    double maxIdle = arguments.number("max-idle").orElse(2.0);
    String given = arguments.requireOperand(0);
    try (var lines = Files.newBufferedReader(Path.of(Creation.absolute(given, terminal)))) {
      play(given, lines, speed, maxIdle, terminal);
      return ExitCodes.SUCCESS;
    } catch (FileSystemException e) {
      throw FileProblems.of(e);
    } catch (CharacterCodingException e) {
      throw malformed(given, 1).causedBy(e);
    }
  }

  private static void play(
      String file, BufferedReader lines, double speed, double maxIdle, Terminal terminal)
      throws IOException {
    String about = lines.readLine();
    if (about == null || !JsonPeek.at(about, "version").orElse("").equals("2")) {
      throw malformed(file, 1);
    }
    terminal.printError(
        "Replaying " + file + " (" + size(about, "width") + "x" + size(about, "height") + ")\n");
    double before = 0;
    int number = 1;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      double at = time(file, number, line);
      if (JsonPeek.at(line, "1").orElse("").equals("o")) {
        Pause.milliseconds((long) (1000 * Math.clamp((at - before) / speed, 0, maxIdle)));
        before = at;
        terminal.print(JsonPeek.at(line, "2").orElseThrow());
      }
    }
  }

  /// The one thing of a recording that is not meant to reach the terminal as it is.
  private static String size(String about, String side) {
    return Printable.line(JsonPeek.at(about, side).orElse("?"));
  }

  private static double time(String file, int number, String line) {
    try {
      double at = Double.parseDouble(JsonPeek.at(line, "0").orElse(""));
      if (Double.isFinite(at) && JsonPeek.at(line, "2").isPresent()) {
        return at;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw malformed(file, number);
  }

  private static Problem malformed(String file, int line) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "`" + file + "` is no recording in asciicast v2: line " + line + " is malformed");
  }
}
