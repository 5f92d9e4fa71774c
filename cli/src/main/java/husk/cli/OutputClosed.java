package husk.cli;

/// Nobody reads standard output any more, as in `husk list | head -1`.
final class OutputClosed extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutputClosed() {
    super("standard output is closed");
  }
}
