package husk.cli;

import husk.local.JsonPeek;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Cancels an execution when this process is told to end (Ctrl-C), unless it is over by then.
final class Cancellation extends Thread implements AutoCloseable {
  private static final int ATTEMPTS = 40;
  private static final int PAUSE = 50;

  private final Daemon daemon;
  private final String id;
  private final CountDownLatch over = new CountDownLatch(1);

  private Cancellation(Daemon daemon, String id) {
    super("cancel-" + id);
    this.daemon = daemon;
    this.id = id;
  }

  static Cancellation arm(Daemon daemon, String id) {
    var cancellation = new Cancellation(daemon, id);
    Runtime.getRuntime().addShutdownHook(cancellation);
    return cancellation;
  }

  /// Asks until the daemon has done it (it may still be creating the kernel), then leaves a moment
  /// for the partial result to be printed.
  @Override
  public void run() {
    for (int i = 0; i < ATTEMPTS && over.getCount() > 0; i++) {
      if (cancel()) {
        break;
      }
      Pause.milliseconds(PAUSE);
    }
    try {
      boolean _ = over.await(2, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  boolean cancel() {
    try {
      var connection = daemon.door().connect();
      if (connection.isEmpty()) {
        return true;
      }
      var reply =
          Daemon.exchange(
              connection.get(), "DELETE", "/executions/" + id, Daemon.JSON, new byte[0]);
      return JsonPeek.at(reply.text(), "cancelled").orElse("false").equals("true");
    } catch (IOException | RuntimeException _) {
      return false;
    }
  }

  @Override
  public void close() {
    over.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(this);
    } catch (IllegalStateException _) {
      // The process is ending; the hook has seen that the execution is over.
    }
  }
}
