package husk.cli;

import husk.model.Problem;

/// Writes the help texts.
final class Help {
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";
  private static final int COLUMN = 28;
  private static final int NARROW = 22;

  private final StringBuilder text = new StringBuilder();
  private final boolean colour;

  private Help(boolean colour) {
    this.colour = colour;
  }

  /// What `husk help` prints.
  static String all(boolean colour) {
    var help = new Help(colour);
    help.text.append("Husk: persistent kernels and isolated sandboxes for AI agents\n\n");
    help.heading("Usage").append(" husk COMMAND [OPTIONS]\n");
    for (String[] group : Commands.GROUPS) {
      help.text.append('\n');
      help.heading(group[0]).append('\n');
      for (int i = 1; i < group.length; i++) {
        help.entry(group[i], Commands.find(group[i]).orElseThrow().summary(), NARROW);
      }
    }
    help.text.append(
        """

        `husk COMMAND --help` says more about a command.
        Exit codes: 0 success, 1 the code failed, 2 usage, 3 not found, 4 unavailable, 5 conflict,
        6 refused, 70 internal, 130 interrupted. `run`, `attach` and `exec SANDBOX` give the command's
        own: 124 after its time, 125 if Husk failed, 126 not executable, 127 not found.
        """);
    return help.text.toString();
  }

  /// Of a command by its name, or of all with one first word.
  static String about(String name, boolean colour) {
    var command = Commands.find(name);
    if (command.isPresent()) {
      return about(command.get(), colour);
    }
    if (Commands.isFamily(name)) {
      return family(name, colour);
    }
    throw unknown(name);
  }

  static String about(Command command, boolean colour) {
    var help = new Help(colour);
    help.about(command);
    for (Command other : command.otherMeanings()) {
      help.text.append('\n');
      help.about(other);
    }
    return help.text.toString();
  }

  private void about(Command command) {
    text.append(command.summary()).append("\n\n");
    heading("Usage").append(" husk ").append(command.name()).append(" [OPTIONS]");
    for (String operand : command.operands()) {
      text.append(' ').append(operand);
    }
    text.append("\n\n");
    heading("Options").append('\n');
    for (Option option : Options.all(command)) {
      entry(spelled(option), option.help(), COLUMN);
    }
  }

  static Problem unknown(String name) {
    var near = new Nearest(name);
    for (Command command : Commands.all()) {
      near.consider(command.name());
    }
    return Parser.usage("", "there is no command `" + name + "`" + near.question());
  }

  private static String family(String first, boolean colour) {
    var help = new Help(colour);
    help.heading("Usage").append(" husk ").append(first).append(" COMMAND [OPTIONS]\n\n");
    help.heading("Commands").append('\n');
    for (String second : Commands.family(first)) {
      String name = first + " " + second;
      help.entry(name, Commands.find(name).orElseThrow().summary(), NARROW);
    }
    return help.text.toString();
  }

  private static String spelled(Option option) {
    String name = option.isFlag() ? option.spelled() : option.spelled() + " " + option.value();
    return option.alias().isEmpty() ? "    " + name : "-" + option.alias() + ", " + name;
  }

  private StringBuilder heading(String words) {
    return colour
        ? text.append(BOLD).append(words).append(':').append(PLAIN)
        : text.append(words).append(':');
  }

  private void entry(String name, String meaning, int column) {
    text.append("  ").append(name);
    for (int i = name.length(); i < column; i++) {
      text.append(' ');
    }
    text.append(' ').append(meaning).append('\n');
  }
}
