package husk.cli;

/// Prints the path of a kernel's connection file, for other Jupyter clients.
final class ConnectionFileCommand implements KernelCommand {
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
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal)
        .get(new WhichKernel(arguments).alone().path(), "text/plain;field=connection_file");
  }
}
