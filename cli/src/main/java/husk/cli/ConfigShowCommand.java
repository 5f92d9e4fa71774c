package husk.cli;

import husk.local.JsonText;

/// Shows every setting in force and where it came from.
final class ConfigShowCommand implements Command {
  @Override
  public String name() {
    return "config show";
  }

  @Override
  public String summary() {
    return "Show the settings and where each comes from";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).post("/config/show", new JsonText(), json(arguments));
  }
}
