package husk.cli;

/// Starts the daemon unless it is running.
final class DaemonStartCommand implements Command {
  @Override
  public String name() {
    return "daemon start";
  }

  @Override
  public String summary() {
    return "Start the daemon unless it is running";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).get("/daemon", json(arguments));
  }
}
