package husk.cli;

import husk.local.UnixHttp;

/// Prints the path of a kernel's connection file, for other Jupyter clients.
final class ConnectionFileCommand implements Command {
  @Override
  public String name() {
    return "connection-file";
  }

  @Override
  public String summary() {
    return "Print the path of a kernel's Jupyter connection file";
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
    return new Daemon(terminal)
        .get(
            "/kernels/" + UnixHttp.segment(arguments.kernel()), "text/plain;field=connection_file");
  }
}
