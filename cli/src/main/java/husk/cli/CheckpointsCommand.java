package husk.cli;

import husk.cli.people.Checkpoints;
import husk.cli.people.View;

/// Lists the checkpoints of a kernel.
final class CheckpointsCommand implements KernelCommand {
  @Override
  public String name() {
    return "checkpoints";
  }

  @Override
  public String summary() {
    return "List the checkpoints of a kernel, oldest first";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Checkpoints::list;
  }

  @Override
  public Option[] options() {
    return Options.which(Option.flag("table", "Print a table for people"));
  }

  @Override
  public boolean json(Arguments arguments) {
    return !arguments.has("table");
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("checkpoints");
    return new Daemon(terminal).get(target, json(arguments));
  }
}
