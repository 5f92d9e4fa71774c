package husk.cli;

import husk.cli.people.Executions;
import husk.cli.people.View;

/// Lists the executions of a kernel.
final class ExecutionsCommand implements KernelCommand {
  @Override
  public String name() {
    return "executions";
  }

  @Override
  public String summary() {
    return "List the executions of a kernel";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Executions::list;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = "/executions?kernel=" + new WhichKernel(arguments).alone().segment();
    return new Daemon(terminal).get(target, true);
  }
}
