package husk.cli;

/// Lists the kernelspecs that `--kernel` accepts.
final class KernelsCommand implements Command {
  @Override
  public String name() {
    return "kernels";
  }

  @Override
  public String summary() {
    return "List the kernelspecs to choose from";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).get("/kernelspecs", json(arguments));
  }
}
