package husk.cli;

import husk.local.JsonText;

/// Stops a sandbox.
final class SandboxStopCommand implements Command {
  @Override
  public String name() {
    return "sandbox stop";
  }

  @Override
  public String summary() {
    return "Stop a sandbox; its files stay";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = Sandboxes.target(arguments.requireOperand(0)) + "/stop";
    return new Daemon(terminal).post(target, new JsonText(), arguments.has("json"));
  }
}
