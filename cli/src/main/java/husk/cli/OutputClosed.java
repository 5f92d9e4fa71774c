package husk.cli;

/// Nobody reads standard output any more, as in `husk list | head -1`, or what a command says on
/// standard error.
final class OutputClosed extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutputClosed() {
    super("the output is closed");
  }
}
