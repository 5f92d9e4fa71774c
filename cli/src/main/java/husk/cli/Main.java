package husk.cli;

import husk.local.Locations;
import husk.local.Notice;
import husk.model.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

/// Where the `husk` command begins: finds the command, reads its arguments, runs it, and turns
/// whatever goes wrong into a message and an exit code.
public final class Main {
  private final Terminal terminal;

  Main(Terminal terminal) {
    this.terminal = terminal;
  }

  public static void main(String[] words) {
    int code = new Main(Terminal.system()).run(words);
    if (code != ExitCodes.SUCCESS) {
      System.exit(code);
    }
  }

  int run(String... words) {
    // Until the command is known, whoever asked for JSON gets it.
    boolean json = Arrays.asList(words).contains("--json");
    try {
      if (words.length == 0) {
        terminal.print(Help.all(terminal.colourOutput()));
        return ExitCodes.USAGE;
      }
      Intact.require(Intact.WORDS, "a word of the command line", words);
      String first = words[0];
      switch (first) {
        case "--help", "-h" -> first = "help";
        case "--version", "-V" -> first = "version";
        case "sb" -> first = "sandbox";
        case "__train" -> {
          return Training.run();
        }
        default -> {}
      }
      return Commands.isFamily(first) ? family(first, words, json) : single(first, words, json);
    } catch (OutputClosed _) {
      return ExitCodes.OUTPUT_CLOSED;
    } catch (Problem problem) {
      return failed(problem, json);
    }
  }

  private int family(String first, String[] words, boolean json) {
    if (words.length > 1 && !words[1].startsWith("-")) {
      return single(first + " " + words[1], words, json);
    }
    boolean asked = words.length > 1 && (words[1].equals("--help") || words[1].equals("-h"));
    if (asked) {
      terminal.print(Help.about(first, terminal.colourOutput()));
      return ExitCodes.SUCCESS;
    }
    throw Parser.usage(
        first, "`husk " + first + "` needs one of: " + String.join(", ", Commands.family(first)));
  }

  private int single(String name, String[] words, boolean json) {
    var found = Commands.find(name);
    if (found.isEmpty()) {
      throw Help.unknown(name);
    }
    int from = name.indexOf(' ') < 0 ? 1 : 2;
    var command = found.get().meant(words, from);
    boolean speaksJson = json || (command.speech() == Command.Speech.JSON && !terminal.forPerson());
    try {
      var arguments = Parser.parse(command, words, from);
      if (arguments.has(Options.HELP.name())) {
        terminal.print(Help.about(command, terminal.colourOutput()));
        return ExitCodes.SUCCESS;
      }
      speaksJson = command.json(arguments);
      if (speaksJson && command.speech() == Command.Speech.JSON && forPerson(arguments)) {
        speaksJson = false;
        terminal.speakToPerson(command.view());
      }
      Waiting.begin(terminal, arguments.has(Options.QUIET.name()));
      int code = command.run(arguments, terminal);
      terminal.stopShowing();
      passNoticeOn();
      return code;
    } catch (OutputClosed e) {
      throw e;
    } catch (Problem problem) {
      return failed(problem, speaksJson, command);
    } catch (IOException | RuntimeException | Error e) {
      return failed(internal(e), speaksJson, command);
    }
  }

  private boolean forPerson(Arguments arguments) {
    return !arguments.has(Options.JSON.name()) && terminal.forPerson();
  }

  /// What the daemon had nobody to tell, such as that its registry was damaged.
  private void passNoticeOn() {
    try {
      Notice.take(Locations.of(terminal.environment()))
          .ifPresent(text -> terminal.printError("husk: " + Printable.line(text) + "\n"));
    } catch (Problem nowhere) {
      // a command that needs no daemon does not mind where it would be
    }
  }

  private int failed(Problem problem, boolean json, Command command) {
    failed(problem, json);
    return command.exitCode(problem);
  }

  private int failed(Problem problem, boolean json) {
    Problems.show(problem, json, terminal);
    if (terminal.debug()) {
      var trace = new StringWriter();
      problem.printStackTrace(new PrintWriter(trace));
      terminal.printError(trace.toString());
    }
    return ExitCodes.of(problem.code());
  }

  private static Problem internal(Throwable cause) {
    return new Problem(
            Problem.Code.INTERNAL,
            "the command failed unexpectedly: " + cause,
            "set HUSK_DEBUG=1 to see where; please report it")
        .causedBy(cause);
  }
}
