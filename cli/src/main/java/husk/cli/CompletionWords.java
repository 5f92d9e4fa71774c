package husk.cli;

/// The words a shell may offer after a command's name.
final class CompletionWords {
  private CompletionWords() {}

  /// What the operand may be, then the options.
  static String of(Command command) {
    var words = new StringBuilder(command.choices());
    for (Option option : Options.all(command)) {
      words.append(words.isEmpty() ? "" : " ").append(option.spelled());
    }
    return words.toString();
  }
}
