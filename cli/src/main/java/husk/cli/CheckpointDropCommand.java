package husk.cli;

import husk.cli.people.Checkpoints;
import husk.cli.people.View;
import husk.local.UnixHttp;

/// Lets go of a checkpoint and of the memory it holds.
final class CheckpointDropCommand implements KernelCommand {
  @Override
  public String name() {
    return "checkpoint-drop";
  }

  @Override
  public String summary() {
    return "Drop a checkpoint, given by its label or id";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Checkpoints::dropped;
  }

  @Override
  public String[] operands() {
    return new String[] {"NAME", "CHECKPOINT"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var kernel = new WhichKernel(arguments);
    String checkpoint = arguments.requireOperand(1);
    if (checkpoint.isEmpty()) {
      throw arguments.usage("CHECKPOINT is empty");
    }
    return new Daemon(terminal)
        .delete(kernel.path("checkpoints/" + UnixHttp.segment(checkpoint)), true);
  }
}
