package husk.cli;

/// Waits a moment.
final class Pause {
  private Pause() {}

  static void milliseconds(long time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
