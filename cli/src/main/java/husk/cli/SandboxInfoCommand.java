package husk.cli;

/// Shows a sandbox.
final class SandboxInfoCommand implements Command {
  @Override
  public String name() {
    return "sandbox info";
  }

  @Override
  public String summary() {
    return "Show a sandbox: its state, limits, rules and ports";
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
    return new Daemon(terminal)
        .get(Sandboxes.target(arguments.requireOperand(0)), arguments.has("json"));
  }
}
