package husk.api.sandboxes;

/// Whoever asked no longer listens.
final class CallerGone extends RuntimeException {
  private static final long serialVersionUID = 1;

  CallerGone(Throwable cause) {
    super(cause);
  }
}
