package husk.cli;

/// Shows one kernel and whether it is alive.
final class StatusCommand implements Command {
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
    return new Daemon(terminal).get(new WhichKernel(arguments).alone().path(), true);
  }
}
