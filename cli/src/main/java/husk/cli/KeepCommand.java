package husk.cli;

import husk.local.JsonText;

/// Decides that what a preview did stays.
final class KeepCommand implements Command {
  @Override
  public String name() {
    return "keep";
  }

  @Override
  public String summary() {
    return "Let what a preview did stay";
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
    String target = new WhichKernel(arguments).alone().path("preview/keep");
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
