package husk.cli;

/// Writes the completion script for zsh.
final class ZshCompletion {
  private ZshCompletion() {}

  static String script() {
    var text = new StringBuilder();
    text.append(
        """
        #compdef husk
        # Completes husk in zsh: husk completions zsh > a folder of $fpath, as _husk
        _husk() {
          local command="${words[2]}" previous="${words[CURRENT-1]}"
          if (( CURRENT == 2 )); then
            compadd -- %s
            return
          fi
          [[ $command == sb ]] && command=sandbox
          case "$command" in
            sandbox|python|config|daemon) (( CURRENT > 3 )) && command="$command ${words[3]}" ;;
          esac
          case "$command:$previous" in
        """
            .replace("%s", String.join(" ", Commands.firstWords())));
    for (Command command : Commands.all()) {
      for (Option option : Options.all(command)) {
        value(text, command, option);
      }
    }
    text.append("  esac\n  case \"$command\" in\n");
    for (Command command : Commands.all()) {
      words(text, command.name(), CompletionWords.of(command), command.choices());
    }
    for (String first : Commands.firstWords()) {
      if (Commands.isFamily(first)) {
        words(text, first, String.join(" ", Commands.family(first)), "");
      }
    }
    text.append(
        """
          esac
        }
        if [[ $funcstack[1] == _husk ]]; then _husk "$@"; else compdef _husk husk; fi
        """);
    return text.toString();
  }

  private static void value(StringBuilder text, Command command, Option option) {
    if (option.isFlag()) {
      return;
    }
    text.append("    \"").append(command.name()).append(':').append(option.spelled()).append('"');
    if (!option.alias().isEmpty()) {
      text.append("|\"").append(command.name()).append(":-").append(option.alias()).append('"');
    }
    text.append(") ").append(offer(option.completes())).append("return ;;\n");
  }

  private static String offer(String completes) {
    return switch (completes) {
      case "" -> "";
      case Option.FILES -> "_files; ";
      case Option.FOLDERS -> "_files -/; ";
      case Option.SANDBOXES -> "compadd -- ${(f)\"$(husk sandbox list --names 2>/dev/null)\"}; ";
      case Option.KERNELS -> "compadd -- ${(f)\"$(husk list --names 2>/dev/null)\"}; ";
      default -> "compadd -- " + completes + "; ";
    };
  }

  private static void words(StringBuilder text, String name, String words, String choices) {
    text.append("    \"").append(name).append("\") ");
    text.append(choices.startsWith("@") ? offer(choices) : "");
    text.append("compadd -- ").append(words).append(" ;;\n");
  }
}
