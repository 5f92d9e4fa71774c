package husk.cli;

/// Removes sandboxes and their files. One that is not there is no mistake: it is gone.
final class SandboxRemoveCommand implements Command {
  @Override
  public String name() {
    return "sandbox remove";
  }

  @Override
  public String summary() {
    return "Remove sandboxes and their files";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX..."};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var daemon = new Daemon(terminal);
    int code = ExitCodes.SUCCESS;
    for (String name : arguments.operandsFrom(0)) {
      code = Math.max(code, daemon.delete(Sandboxes.target(name), arguments.has("json")));
    }
    return code;
  }
}
