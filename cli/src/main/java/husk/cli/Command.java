package husk.cli;

import husk.cli.people.View;
import husk.model.Problem;
import java.io.IOException;

/// One command of the table in [Commands].
interface Command {

  /// What a command prints.
  enum Speech {
    /// JSON; what its [View] makes of it at a terminal, unless `--json` is given.
    JSON,
    /// Text for people; JSON with `--json`.
    TEXT_OR_JSON,
    /// Text that stands for itself.
    TEXT
  }

  /// One word, or two as in `daemon start`.
  String name();

  /// One line.
  String summary();

  Speech speech();

  /// What it says to a person instead of JSON.
  default View view() {
    return View.AS_IT_IS;
  }

  default Option[] options() {
    return Options.NONE;
  }

  /// What follows the options: `NAME` must be given, `[NAME]` may be; the last may end with `...`
  /// and then stands for any number.
  default String[] operands() {
    return Options.NO_OPERANDS;
  }

  /// The words a shell offers for the first operand.
  default String choices() {
    return "";
  }

  /// From which operand on every word is an operand, also one that looks like an option: those are
  /// somebody else's.
  default int tail() {
    return Integer.MAX_VALUE;
  }

  /// The command that is meant by these words, for a name that has two meanings.
  default Command meant(String[] words, int from) {
    return this;
  }

  /// The other meanings of its name, for the help text.
  default Command[] otherMeanings() {
    return new Command[0];
  }

  /// The exit code when it fails.
  default int exitCode(Problem problem) {
    return ExitCodes.of(problem.code());
  }

  /// Whether this call of it speaks JSON, also about problems.
  default boolean json(Arguments arguments) {
    return speech() == Speech.JSON || arguments.has("json");
  }

  /// Does it, and gives the exit code.
  int run(Arguments arguments, Terminal terminal) throws IOException;
}
