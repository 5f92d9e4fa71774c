package husk.cli;

/// Prints what a kernel's process printed outside its cells.
final class LogsCommand implements KernelCommand {
  @Override
  public String name() {
    return "logs";
  }

  @Override
  public String summary() {
    return "Print a kernel's log";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("log");
    var daemon = new Daemon(terminal);
    return daemon.showRaw(daemon.call("GET", target, Daemon.TEXT));
  }
}
