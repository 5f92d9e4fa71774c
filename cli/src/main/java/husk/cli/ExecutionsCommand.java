package husk.cli;

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
  public String[] operands() {
    return new String[] {"[NAME]"};
  }

  @Override
  public String choices() {
    return Option.KERNELS;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = "/executions?kernel=" + new WhichKernel(arguments).alone().segment();
    return new Daemon(terminal).get(target, true);
  }
}
