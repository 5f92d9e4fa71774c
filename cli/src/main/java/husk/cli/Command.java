package husk.cli;

import java.io.IOException;

/// One command of the table in [Commands].
interface Command {

  /// What a command prints.
  enum Speech {
    /// JSON always.
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

  default Option[] options() {
    return Options.NONE;
  }

  /// What follows the options: `NAME` must be given, `[NAME]` may be.
  default String[] operands() {
    return Options.NO_OPERANDS;
  }

  /// The words a shell offers for the first operand.
  default String choices() {
    return "";
  }

  /// Whether this call of it speaks JSON, also about problems.
  default boolean json(Arguments arguments) {
    return speech() == Speech.JSON || arguments.has("json");
  }

  /// Does it, and gives the exit code.
  int run(Arguments arguments, Terminal terminal) throws IOException;
}
