package husk.cli;

import husk.local.JsonText;

/// Starts a sandbox; one that runs is left as it is.
final class SandboxStartCommand implements Command {
  @Override
  public String name() {
    return "sandbox start";
  }

  @Override
  public String summary() {
    return "Start a sandbox, with the files it had";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("backend", "BACKEND", "Accepted; a sandbox keeps the one it was made with").as("B")
    };
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
    String target = Sandboxes.target(arguments.requireOperand(0)) + "/start";
    return new Daemon(terminal).post(target, new JsonText(), arguments.has("json"));
  }
}
