package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonText;

/// Interrupts what a kernel is running; its variables stay.
final class InterruptCommand implements KernelCommand {
  @Override
  public String name() {
    return "interrupt";
  }

  @Override
  public String summary() {
    return "Interrupt what a kernel is running";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::interrupted;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("interrupt");
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
