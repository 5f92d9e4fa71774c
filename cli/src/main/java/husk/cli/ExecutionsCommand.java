package husk.cli;

import husk.local.UnixHttp;

/// Lists the executions of a kernel.
final class ExecutionsCommand implements Command {
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
  public Option[] options() {
    return Options.which();
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = "/executions?kernel=" + UnixHttp.segment(arguments.kernel());
    return new Daemon(terminal).get(target, true);
  }
}
