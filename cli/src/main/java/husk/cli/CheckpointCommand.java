package husk.cli;

import husk.cli.people.Checkpoints;
import husk.cli.people.View;
import husk.local.JsonText;

/// Takes a checkpoint of a kernel.
final class CheckpointCommand implements KernelCommand {
  @Override
  public String name() {
    return "checkpoint";
  }

  @Override
  public String summary() {
    return "Keep a kernel's variables and files as they are now, to go back to";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Checkpoints::made;
  }

  @Override
  public Option[] options() {
    return Options.which(Option.of("label", "LABEL", "A name for it"), LiveOptions.PROCEED);
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("checkpoints");
    var body = new JsonText().text("label", arguments.find("label"));
    body.flag("proceed", arguments.has("proceed"));
    return new Daemon(terminal).post(target, body, true);
  }
}
