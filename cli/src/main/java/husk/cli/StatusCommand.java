package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;

/// Shows one kernel and whether it is alive.
final class StatusCommand implements KernelCommand {
  @Override
  public String name() {
    return "status";
  }

  @Override
  public String summary() {
    return "Show a kernel and whether it is alive";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::status;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).get(new WhichKernel(arguments).alone().path(), true);
  }
}
