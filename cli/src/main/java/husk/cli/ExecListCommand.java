package husk.cli;

import java.io.IOException;

/// Lists the commands of a sandbox.
final class ExecListCommand implements Command {
  private final String name;

  ExecListCommand(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return "List the commands of a sandbox, those that run and those that ended";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var sandbox = new Sandboxes(terminal).use(arguments.requireOperand(0));
    var list = new StringBuilder("[");
    try {
      String separator = "\n  ";
      for (var info : sandbox.agent().commands()) {
        list.append(separator).append(CommandViews.object(sandbox.name(), info));
        separator = ",\n  ";
      }
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
    terminal.print(list.append(list.length() > 1 ? "\n]\n" : "]\n").toString());
    return ExitCodes.SUCCESS;
  }
}
