package husk.cli;

/// Prints a script that completes `husk` in a shell.
final class CompletionsCommand implements Command {
  @Override
  public String name() {
    return "completions";
  }

  @Override
  public String summary() {
    return "Print a completion script for a shell";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public String[] operands() {
    return new String[] {"SHELL"};
  }

  @Override
  public String choices() {
    return "bash zsh fish";
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String shell = arguments.operand(0).orElseThrow();
    terminal.print(
        switch (shell) {
          case "bash" -> BashCompletion.script();
          case "zsh" -> ZshCompletion.script();
          case "fish" -> FishCompletion.script();
          default ->
              throw arguments.usage("`" + shell + "` is not among the shells: bash, zsh, fish");
        });
    return ExitCodes.SUCCESS;
  }
}
