package husk.cli;

import husk.cli.people.Executions;
import husk.cli.people.View;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

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
  public View view() {
    return Executions::commands;
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
    String json = list.append(list.length() > 1 ? "\n]\n" : "]\n").toString();
    terminal.answer(json.getBytes(StandardCharsets.UTF_8));
    return ExitCodes.SUCCESS;
  }
}
