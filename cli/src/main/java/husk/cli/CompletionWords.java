package husk.cli;

/// The words a shell may offer after a command's name.
final class CompletionWords {
  private CompletionWords() {}

  /// What the operand may be if that is known, then the options.
  static String of(Command command) {
    boolean fixed = !command.choices().startsWith("@");
    var words = new StringBuilder(fixed ? command.choices() : "");
    for (Option option : Options.all(command)) {
      words.append(words.isEmpty() ? "" : " ").append(option.spelled());
    }
    return words.toString();
  }
}
