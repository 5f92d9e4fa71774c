package husk.api.sandboxes;

import java.util.concurrent.atomic.AtomicBoolean;

/// Does something once a second. A server notices that a caller has left only by writing to it, so
/// while there is nothing to say, it says that.
final class Pulse implements AutoCloseable {
  private static final long MILLIS = 1_000;

  private final AtomicBoolean over = new AtomicBoolean();
  private final Thread thread;

  private Pulse(Runnable beat, Runnable whenGone) {
    this.thread = Thread.ofVirtual().name("husk-pulse").unstarted(() -> run(beat, whenGone));
  }

  /// @param whenGone what to do once `beat` finds the caller gone
  static Pulse start(Runnable beat, Runnable whenGone) {
    var pulse = new Pulse(beat, whenGone);
    pulse.thread.start();
    return pulse;
  }

  private void run(Runnable beat, Runnable whenGone) {
    try {
      while (!over.get()) {
        Thread.sleep(MILLIS);
        if (!over.get()) {
          beat.run();
        }
      }
    } catch (CallerGone gone) {
      whenGone.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    // Not interrupted: it may be writing, and an interrupted write closes the connection.
    over.set(true);
  }
}
