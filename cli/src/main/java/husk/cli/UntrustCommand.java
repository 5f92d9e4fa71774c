package husk.cli;

/// Takes back what `husk trust` allowed.
final class UntrustCommand implements Command {
  @Override
  public String name() {
    return "untrust";
  }

  @Override
  public String summary() {
    return "No longer let a project's file widen your settings";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"[PATH]"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var body = TrustCommand.path(arguments, terminal);
    return new Daemon(terminal).post("/trust/forget", body, json(arguments));
  }
}
