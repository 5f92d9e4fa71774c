package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonText;

/// Puts a fork in the place of the kernel it came from.
final class PromoteCommand implements KernelCommand {
  @Override
  public String name() {
    return "promote";
  }

  @Override
  public String summary() {
    return "Give a kernel the variables and files of one of its forks";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels.did("has what the fork had");
  }

  @Override
  public String[] operands() {
    return new String[] {"NAME", "FORK"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var kernel = new WhichKernel(arguments);
    var body = new JsonText().text("fork", arguments.requireOperand(1));
    return new Daemon(terminal).post(kernel.path("promote"), body, true);
  }
}
