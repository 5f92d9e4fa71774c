package husk.cli;

import java.io.IOException;
import java.util.Optional;

/// Prints what a command of a sandbox has said.
final class ExecLogsCommand implements Command {
  private final String name;

  ExecLogsCommand(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return "Print what a detached command has written";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.flag("stderr", "What it wrote to standard error, instead of standard output"),
      Option.flag("follow", "Go on until it ends, and end with its exit code").as("f")
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
    var sandbox = new Sandboxes(terminal).use(arguments.requireOperand(0));
    boolean follow = arguments.has("follow");
    var stream = Optional.of(arguments.has("stderr") ? "stderr" : "stdout");
    try (var command = sandbox.agent().attach(arguments.requireOperand(1), stream, !follow)) {
      var end = CommandCall.drain(command, (_, bytes) -> terminal.print(bytes));
      return follow ? Endings.exitCode(end) : ExitCodes.SUCCESS;
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
  }
}
