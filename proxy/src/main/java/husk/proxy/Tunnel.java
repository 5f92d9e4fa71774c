package husk.proxy;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/// Bytes both ways until both sides have finished. Nobody looks at them, but for the first ones of
/// a TLS connection, which say in clear which host is meant.
final class Tunnel {
  private final Visit visit;
  private final Peer client;
  private final Peer server;
  private final ExecutorService threads;

  Tunnel(Visit visit, Peer server, ExecutorService threads) {
    this.visit = visit;
    this.client = visit.client();
    this.server = server;
    this.threads = threads;
  }

  /// Watches over the first bytes, then joins the two.
  void run(Access access) throws IOException, InterruptedException {
    join(() -> new HelloWatch(visit, client, server).pass(access));
  }

  /// What was allowed as a whole needs no watching.
  void join() throws IOException, InterruptedException {
    join(() -> true);
  }

  private interface Opening {
    /// Whether the client may go on.
    boolean pass() throws IOException;
  }

  private void join(Opening opening) throws IOException, InterruptedException {
    var back = threads.submit(() -> moveOrClose(() -> move(server, client)));
    moveOrClose(
        () -> {
          if (opening.pass()) {
            move(client, server);
          } else {
            visit.close();
          }
        });
    try {
      back.get();
    } catch (ExecutionException e) {
      throw new IOException("a tunnel broke", e);
    }
  }

  private interface Moving {
    void move() throws IOException;
  }

  /// When one direction breaks, nothing sensible can go in the other.
  private void moveOrClose(Moving moving) {
    try {
      moving.move();
    } catch (IOException _) {
      visit.close();
    }
  }

  private static void move(Peer from, Peer to) throws IOException {
    while (from.fill()) {
      to.write(from.arrived());
    }
    to.finish();
  }
}
