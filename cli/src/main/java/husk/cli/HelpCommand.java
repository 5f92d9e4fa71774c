package husk.cli;

/// Shows what there is.
final class HelpCommand implements Command {
  @Override
  public String name() {
    return "help";
  }

  @Override
  public String summary() {
    return "Show help about Husk or a command";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public String[] operands() {
    return new String[] {"[COMMAND]", "[SUBCOMMAND]"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    if (arguments.operandCount() == 0) {
      terminal.print(Help.all(terminal.colourOutput()));
      return ExitCodes.SUCCESS;
    }
    var first = arguments.operand(0).orElseThrow();
    var second = arguments.operand(1);
    String name = second.isPresent() ? first + " " + second.get() : first;
    terminal.print(Help.about(name, terminal.colourOutput()));
    return ExitCodes.SUCCESS;
  }
}
