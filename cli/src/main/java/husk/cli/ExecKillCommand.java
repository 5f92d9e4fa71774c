package husk.cli;

import husk.local.JsonText;
import java.io.IOException;

/// Signals a command of a sandbox and all it started.
final class ExecKillCommand implements Command {
  private final String name;

  ExecKillCommand(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return "Signal a command of a sandbox and all it started";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("signal", "SIGNAL", "Its name or number; default TERM")
          .as("s")
          .completing(SignalNames.ALL)
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX", "ID"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String given = arguments.find("signal").orElse("TERM");
    int signal = SignalNames.number(given);
    if (signal == 0) {
      throw arguments.usage("`--signal` is `" + given + "`, which is no signal's name or number");
    }
    var sandbox = new Sandboxes(terminal).use(arguments.requireOperand(0));
    String id = arguments.requireOperand(1);
    try {
      sandbox.agent().kill(id, signal);
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
    terminal.print(
        arguments.has("json")
            ? new JsonText().text("id", id).number("signal", signal) + "\n"
            : "Signal " + signal + " sent to command " + id + ".\n");
    return ExitCodes.SUCCESS;
  }
}
