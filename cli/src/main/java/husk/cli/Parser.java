package husk.cli;

import husk.model.Problem;

/// Reads a command line against the options of one command.
///
/// Hand-written, because a library for it costs more time at every start than all the rest: about
/// 45 ms against 130 and more for a whole command.
final class Parser {
  private final Command command;
  private final Option[] options;
  private final Arguments arguments;

  private Parser(Command command) {
    this.command = command;
    this.options = Options.all(command);
    this.arguments = new Arguments(command.name());
  }

  /// Reads `words` from the one at `from` on, which is the first after the command's name.
  static Arguments parse(Command command, String[] words, int from) {
    return new Parser(command).read(words, from);
  }

  static Problem usage(String command, String message) {
    String call = command.isEmpty() ? "husk" : "husk " + command;
    return new Problem(Problem.Code.USAGE, message, "`" + call + " --help` shows what there is");
  }

  private Arguments read(String[] words, int from) {
    boolean optionsEnded = false;
    for (int i = from; i < words.length; i++) {
      String word = words[i];
      if (optionsEnded || !looksLikeOption(word, options)) {
        arguments.addOperand(word);
        optionsEnded |= arguments.operandCount() > command.tail();
      } else if (word.equals("--")) {
        optionsEnded = true;
      } else {
        i += option(word, i + 1 < words.length ? words[i + 1] : "", i + 1 < words.length);
      }
    }
    if (!arguments.has(Options.HELP.name())) {
      checkOperands();
    }
    return arguments;
  }

  /// Takes one option; gives how many words after it were its value.
  private int option(String word, String next, boolean hasNext) {
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    Option option = find(equals < 0 ? word : word.substring(0, equals));
    if (option.isFlag()) {
      if (equals >= 0) {
        throw arguments.usage("`" + option.spelled() + "` takes no value");
      }
      arguments.add(option, "");
      return 0;
    }
    if (equals >= 0) {
      arguments.add(option, word.substring(equals + 1));
      return 0;
    }
    if (!hasNext || next.equals("--") || known(next, options)) {
      throw arguments.usage("`" + option.spelled() + "` needs a value: " + option.value());
    }
    arguments.add(option, next);
    return 1;
  }

  /// Code may begin with a dash too; a negative number and words with blanks are no options.
  static boolean looksLikeOption(String word, Option[] options) {
    if (word.length() < 2 || word.charAt(0) != '-') {
      return false;
    }
    int equals = word.indexOf('=');
    if (word.startsWith("--") && equals > 0 && known(word.substring(0, equals), options)) {
      return true;
    }
    char second = word.charAt(1);
    return (second < '0' || second > '9') && second != '.' && !hasBlank(word);
  }

  private static boolean hasBlank(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) <= ' ' || word.charAt(i) == '(') {
        return true;
      }
    }
    return false;
  }

  private static boolean known(String word, Option[] options) {
    for (Option option : options) {
      if (option.matches(word)) {
        return true;
      }
    }
    return false;
  }

  private Option find(String word) {
    for (Option option : options) {
      if (option.matches(word)) {
        return option;
      }
    }
    var near = new Nearest(word);
    for (Option option : options) {
      near.consider(option.spelled());
    }
    throw arguments.usage(
        "`husk " + command.name() + "` has no option `" + word + "`" + near.question());
  }

  private void checkOperands() {
    String[] wanted = command.operands();
    int given = arguments.operandCount();
    boolean any = wanted.length > 0 && wanted[wanted.length - 1].contains("...");
    if (given > wanted.length && !any) {
      var extra = arguments.operand(wanted.length).orElse("");
      throw arguments.usage("`" + extra + "` is more than `husk " + command.name() + "` takes");
    }
    if (given < wanted.length && !wanted[given].startsWith("[")) {
      throw arguments.usage(wanted[given] + " is missing");
    }
  }
}
