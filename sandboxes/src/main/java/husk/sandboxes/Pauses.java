package husk.sandboxes;

/// Waits that an interrupt may cut short.
final class Pauses {
  private Pauses() {}

  static void milliseconds(long number) {
    try {
      Thread.sleep(number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
