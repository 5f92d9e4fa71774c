package husk.cli;

import org.jspecify.annotations.Nullable;

/// Tells whether `exec` means code in a kernel or a command in a sandbox.
///
/// Code has one operand and says its kernel with `--name` or `--id`. What begins with a name and
/// goes on with more, with `--`, or with an option that only commands have, is a command.
final class ExecMeaning {
  private static final Option[] CODE = Options.all(new ExecCommand());
  private static final Option[] COMMAND = Options.all(new SandboxExecCommand());
  private static final Option[] BOTH = Options.join(CODE, COMMAND);

  private ExecMeaning() {}

  static boolean isCommand(String[] words, int from) {
    boolean named = false;
    for (int i = from; i < words.length; i++) {
      String word = words[i];
      if (word.equals("--")) {
        return named && i + 1 < words.length;
      }
      if (!Parser.looksLikeOption(word, BOTH)) {
        if (named) {
          return true;
        }
        named = true;
        continue;
      }
      var option = find(word);
      if (option == null) {
        return false;
      }
      if (option.name().equals("name") || option.name().equals("id")) {
        return false;
      }
      if (named && onlyCommands(word)) {
        return true;
      }
      i += option.isFlag() || word.indexOf('=') > 0 ? 0 : 1;
    }
    return false;
  }

  private static @Nullable Option find(String word) {
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    for (Option option : BOTH) {
      if (option.matches(equals < 0 ? word : word.substring(0, equals))) {
        return option;
      }
    }
    return null;
  }

  private static boolean onlyCommands(String word) {
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    for (Option option : CODE) {
      if (option.matches(equals < 0 ? word : word.substring(0, equals))) {
        return false;
      }
    }
    return true;
  }
}
