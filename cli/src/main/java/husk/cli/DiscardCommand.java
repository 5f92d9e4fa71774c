package husk.cli;

import husk.local.JsonText;

/// Takes a kernel back to what it was before its preview.
final class DiscardCommand implements Command {
  @Override
  public String name() {
    return "discard";
  }

  @Override
  public String summary() {
    return "Take back what a preview did to variables and files";
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
    String target = new WhichKernel(arguments).alone().path("preview/discard");
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
