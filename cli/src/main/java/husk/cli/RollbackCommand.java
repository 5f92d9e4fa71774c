package husk.cli;

import husk.cli.people.Checkpoints;
import husk.cli.people.View;
import husk.local.JsonText;

/// Takes a kernel back to a checkpoint.
final class RollbackCommand implements KernelCommand {
  @Override
  public String name() {
    return "rollback";
  }

  @Override
  public String summary() {
    return "Take a kernel's variables and files back to a checkpoint";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Checkpoints::wentBack;
  }

  @Override
  public Option[] options() {
    return Options.which(
        Option.of("to", "CHECKPOINT", "A checkpoint's label or id; default: the latest"));
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("rollback");
    return new Daemon(terminal).post(target, new JsonText().text("to", arguments.find("to")), true);
  }
}
