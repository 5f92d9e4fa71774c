package husk.cli;

/// Writes the completion script for fish.
final class FishCompletion {
  private static final String SANDBOXES = "(husk sandbox list --names 2>/dev/null)";
  private static final String KERNELS = "(husk list --names 2>/dev/null)";

  private FishCompletion() {}

  static String script() {
    var text = new StringBuilder();
    text.append(
        """
        # Completes husk in fish: husk completions fish > ~/.config/fish/completions/husk.fish
        complete -c husk -n __fish_use_subcommand -f
        """);
    for (String first : Commands.firstWords()) {
      var command = Commands.find(first);
      line(text, "__fish_use_subcommand", "-f -a " + first);
      if (command.isPresent()) {
        text.append(" -d ").append(quoted(command.get().summary()));
      }
      text.append('\n');
      for (String second : Commands.family(first)) {
        String name = first + " " + second;
        line(
            text,
            "__fish_seen_subcommand_from " + (first.equals("sandbox") ? "sandbox sb" : first),
            "-f -a " + second);
        text.append(" -d ").append(quoted(Commands.find(name).orElseThrow().summary()));
        text.append('\n');
      }
    }
    for (Command command : Commands.all()) {
      options(text, command);
    }
    return text.toString();
  }

  private static void options(StringBuilder text, Command command) {
    String seen =
        "__fish_seen_subcommand_from "
            + command
                .name()
                .replace(" ", "; and __fish_seen_subcommand_from ")
                .replace("sandbox;", "sandbox sb;");
    if (!command.choices().isEmpty()) {
      line(text, seen, operand(command.choices()));
      text.append('\n');
    }
    for (Option option : Options.all(command)) {
      line(text, seen, "-l " + option.name());
      if (!option.alias().isEmpty()) {
        text.append(" -s ").append(option.alias());
      }
      text.append(offer(option)).append(" -d ").append(quoted(option.help())).append('\n');
    }
  }

  private static String operand(String choices) {
    return switch (choices) {
      case Option.FILES -> "-F";
      case Option.FOLDERS -> "-f -a '(__fish_complete_directories)'";
      case Option.SANDBOXES -> "-f -a " + quoted(SANDBOXES);
      case Option.KERNELS -> "-f -a " + quoted(KERNELS);
      default -> "-f -a " + quoted(choices);
    };
  }

  private static String offer(Option option) {
    return switch (option.completes()) {
      case "" -> option.isFlag() ? " -f" : " -x";
      case Option.FILES -> " -r -F";
      case Option.FOLDERS -> " -x -a '(__fish_complete_directories)'";
      case Option.SANDBOXES -> " -x -a " + quoted(SANDBOXES);
      case Option.KERNELS -> " -x -a " + quoted(KERNELS);
      default -> " -x -a " + quoted(option.completes());
    };
  }

  private static void line(StringBuilder text, String condition, String rest) {
    text.append("complete -c husk -n ").append(quoted(condition)).append(' ').append(rest);
  }

  private static String quoted(String words) {
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
