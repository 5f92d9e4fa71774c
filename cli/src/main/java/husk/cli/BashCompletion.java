package husk.cli;

/// Writes the completion script for bash.
final class BashCompletion {
  private BashCompletion() {}

  static String script() {
    var text = new StringBuilder();
    text.append(
        """
        # Completes husk in bash: source <(husk completions bash)
        _husk() {
          local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
          local command="${COMP_WORDS[1]}" words="" line
          COMPREPLY=()
          if [[ $COMP_CWORD -eq 1 ]]; then
            words="%s"
            COMPREPLY=($(compgen -W "$words" -- "$current"))
            return
          fi
          [[ $command == sb ]] && command=sandbox
          case "$command" in
            sandbox|python|config|daemon) [[ $COMP_CWORD -gt 2 ]] && command="$command ${COMP_WORDS[2]}" ;;
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
          [[ ${#COMPREPLY[@]} -gt 0 ]] && return
          if [[ $current == -* || -n ${words%%-*} ]]; then
            COMPREPLY=($(compgen -W "$words" -- "$current"))
          fi
        }
        complete -o default -F _husk husk
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
      case "", Option.FILES -> "";
      case Option.FOLDERS -> "COMPREPLY=($(compgen -d -- \"$current\")); ";
      case Option.KERNELS ->
          "while IFS= read -r line; do [[ $line == \"$current\"* ]] &&"
              + " COMPREPLY+=(\"$(printf %q \"$line\")\");"
              + " done < <(husk list --names 2>/dev/null); ";
      case Option.SANDBOXES ->
          "[[ $current == -* ]] || COMPREPLY=($(compgen -W"
              + " \"$(husk sandbox list --names 2>/dev/null)\" -- \"$current\")); ";
      default -> "COMPREPLY=($(compgen -W \"" + completes + "\" -- \"$current\")); ";
    };
  }

  private static void words(StringBuilder text, String name, String words, String choices) {
    text.append("    \"").append(name).append("\") words=\"").append(words).append("\"; ");
    text.append(choices.startsWith("@") ? offer(choices) : "").append(";;\n");
  }
}
