package husk.cli;

import husk.local.UnixHttp;

/// Prints what a kernel's process printed outside its cells.
final class LogsCommand implements Command {
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
  public Option[] options() {
    return Options.which();
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = "/kernels/" + UnixHttp.segment(arguments.kernel()) + "/log";
    var daemon = new Daemon(terminal);
    return daemon.showRaw(daemon.call("GET", target, Daemon.TEXT));
  }
}
