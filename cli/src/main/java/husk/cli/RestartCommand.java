package husk.cli;

import husk.local.JsonText;

/// Starts a kernel afresh under its name and id.
final class RestartCommand implements Command {
  @Override
  public String name() {
    return "restart";
  }

  @Override
  public String summary() {
    return "Restart a kernel; its variables are lost";
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
    String target = new WhichKernel(arguments).alone().path("restart");
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
