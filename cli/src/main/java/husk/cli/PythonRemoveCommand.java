package husk.cli;

import husk.local.UnixHttp;

/// Removes a Python environment.
final class PythonRemoveCommand implements Command {
  @Override
  public String name() {
    return "python remove";
  }

  @Override
  public String summary() {
    return "Remove a Python environment";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"NAME"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String name = arguments.operand(0).orElseThrow();
    return new Daemon(terminal).delete("/environments/" + UnixHttp.segment(name), json(arguments));
  }
}
