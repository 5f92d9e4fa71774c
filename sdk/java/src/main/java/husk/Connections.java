package husk;

import husk.local.DaemonDoor;
import husk.local.UnixHttp;
import husk.model.Problem;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.ConcurrentLinkedDeque;

/// The connections to the daemon: each serves one thread at a time, and is kept for the next one.
final class Connections implements AutoCloseable {
  private static final int ATTEMPTS = 5;
  private static final int MOST_IDLE = 16;

  /// The daemon hangs up on those that idle for minutes; long before that they are not used again.
  private static final long LONGEST_IDLE_NANOS = 30_000_000_000L;

  private record Idle(UnixHttp connection, long since) {}

  private final DaemonDoor door;
  private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  Connections(DaemonDoor door) {
    this.door = door;
  }

  /// Asks what may be asked twice: should the daemon be lost, the next one is asked.
  Reply ask(String method, String target, byte[] body) {
    IOException latest = new IOException("not tried");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return exchange(take(), method, target, body);
      } catch (IOException e) {
        latest = lost(e);
      }
    }
    throw unavailable(latest);
  }

  /// Asks what may have been done even if no answer came, over a connection that is surely good.
  Reply askOnce(String method, String target, byte[] body) {
    try {
      return exchange(open(), method, target, body);
    } catch (IOException e) {
      throw unavailable(lost(e));
    }
  }

  private Reply exchange(UnixHttp connection, String method, String target, byte[] body)
      throws IOException {
    try {
      var answer = connection.request(method, target, Reply.ACCEPTED, body);
      return new Reply(answer.status(), answer.body().readAllBytes());
    } finally {
      give(connection);
    }
  }

  /// A connection that may have gone stale since its last use.
  UnixHttp take() {
    for (var kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      if (System.nanoTime() - kept.since < LONGEST_IDLE_NANOS) {
        return kept.connection;
      }
      hangUp(kept.connection);
    }
    return open();
  }

  /// A connection that nobody else has used, to be closed by its caller.
  UnixHttp fresh() {
    return open();
  }

  private UnixHttp open() {
    if (closed) {
      throw Executions.closedProblem();
    }
    return door.connectOrStart();
  }

  /// Takes a connection back, to be used again if it can be.
  void give(UnixHttp connection) {
    if (connection.reusable() && !closed && idle.size() < MOST_IDLE) {
      idle.addFirst(new Idle(connection, System.nanoTime()));
    } else {
      hangUp(connection);
    }
  }

  /// Forgets the connections to a daemon that seems to be gone.
  IOException lost(IOException how) {
    for (var kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      hangUp(kept.connection);
    }
    if (how instanceof ClosedByInterruptException) {
      throw new Problem(
              Problem.Code.DAEMON_UNAVAILABLE,
              "the thread was interrupted while it waited for the daemon",
              "what it asked for may have been done")
          .causedBy(how);
    }
    return how;
  }

  static Problem unavailable(IOException cause) {
    return new Problem(
            Problem.Code.DAEMON_UNAVAILABLE,
            "the connection to the daemon was lost: " + cause.getMessage(),
            "what was asked for may have been done; look before you ask again",
            "`husk daemon logs` shows what happened to the daemon")
        .causedBy(cause);
  }

  @Override
  public void close() {
    closed = true;
    for (var kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      hangUp(kept.connection);
    }
  }

  private static void hangUp(UnixHttp connection) {
    try {
      connection.close();
    } catch (IOException _) {
      // It is closed either way.
    }
  }
}
