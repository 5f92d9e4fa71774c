package husk.cli;

/// Lists the Python environments.
final class PythonListCommand implements Command {
  @Override
  public String name() {
    return "python list";
  }

  @Override
  public String summary() {
    return "List the Python environments";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).get("/environments", json(arguments));
  }
}
