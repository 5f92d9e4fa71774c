package husk.cli;

/// Shows the daemon, without starting one.
final class DaemonStatusCommand implements Command {
  @Override
  public String name() {
    return "daemon status";
  }

  @Override
  public String summary() {
    return "Show the daemon; exit code 1 if none is running";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var daemon = new Daemon(terminal);
    boolean json = json(arguments);
    var reply =
        daemon.callIfRunning("GET", "/daemon", json ? Daemon.JSON : Daemon.TEXT, new byte[0]);
    if (reply.isPresent()) {
      return daemon.show(reply.get(), json);
    }
    terminal.print(json ? "{\n  \"running\": false\n}\n" : "no daemon is running\n");
    return ExitCodes.FAILED;
  }
}
