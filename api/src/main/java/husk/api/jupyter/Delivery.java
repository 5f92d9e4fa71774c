package husk.api.jupyter;

import husk.api.spool.Spool;
import husk.api.spool.SpoolReader;
import husk.model.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Sends what waits for a client over its WebSocket, as fast as the client reads.
///
/// What was sent may still be lost on the way. After every burst a ping carries the number of the
/// last message; its pong says that all up to that one have arrived, and only then are they
/// forgotten. Whoever comes back gets the rest again.
final class Delivery {
  private static final System.Logger LOG = System.getLogger("husk.api");

  /// Not at once: a client whose pong is on its way may have to wait before it asks again.
  private static final Duration BURST = Duration.ofMillis(50);

  /// In traffic that never pauses, what is sent again is what was sent in this time.
  private static final long LONGEST_UNPINGED_NANOS = Duration.ofMillis(200).toNanos();

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);
  private static final long UNCONFIRMED_MESSAGES = 500;
  private static final long UNCONFIRMED_BYTES = 1 << 20;

  /// More than this a connection does not hold: a client that reads that much and confirms nothing
  /// knows no pings.
  private static final long KEPT_BYTES = 64L << 20;

  private final WsSocket socket;
  private final SubProtocol protocol;
  private final Spool spool;
  private final SpoolReader reader;
  private final boolean confirming;
  private final Counters counters;
  private final Supplier<CloseReason> whyOver;
  private final Thread sender;
  private volatile long sent;
  private long pinged;
  private long sincePing;
  private long pingedNanos = System.nanoTime();
  private final AtomicLong unconfirmed = new AtomicLong();

  /// @param confirming whether messages are kept until they are known to have arrived
  /// @param whyOver asked when the spool has ended
  Delivery(
      WsSocket socket,
      SubProtocol protocol,
      Spool spool,
      boolean confirming,
      Counters counters,
      Supplier<CloseReason> whyOver) {
    this.socket = socket;
    this.protocol = protocol;
    this.spool = spool;
    this.reader = spool.reader(spool.first());
    this.sent = reader.sequence() - 1;
    this.pinged = sent;
    this.confirming = confirming;
    this.counters = counters;
    this.whyOver = whyOver;
    this.sender = Thread.ofVirtual().name("husk-ws-sender").unstarted(this::run);
  }

  void start() {
    sender.start();
  }

  WsSocket socket() {
    return socket;
  }

  /// The number of the last message that was written.
  long sent() {
    return sent;
  }

  private void run() {
    try {
      while (sendNext()) {
        confirmSent();
      }
      socket.close(whyOver.get());
    } catch (InterruptedException replaced) {
      // Another connection has taken its place; whoever stopped this one says goodbye.
    } catch (IOException gone) {
      socket.cut();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a client's messages cannot be read back", e);
      socket.cut();
    }
  }

  private boolean sendNext() throws IOException, InterruptedException {
    awaitNext();
    var record = nextRecord();
    if (record.isEmpty()) {
      return false;
    }
    long size = record.get().remaining();
    socket.send(protocol.encode(record.get()), reader.ready());
    sent = reader.sequence() - 1;
    sincePing += size;
    unconfirmed.addAndGet(size);
    counters.sent(size);
    return true;
  }

  /// What the client confirms on the connection it had before need not be sent on this one.
  private Optional<ByteBuffer> nextRecord() throws InterruptedException {
    while (true) {
      reader.skipForgotten();
      try {
        return reader.nextView();
      } catch (Problem forgotten) {
        // just now
      }
    }
  }

  private void awaitNext() throws IOException, InterruptedException {
    if (reader.await(BURST)) {
      return;
    }
    if (confirming && pinged < sent) {
      ping();
    }
    while (!reader.await(KEEP_ALIVE)) {
      ping();
    }
  }

  private void confirmSent() throws IOException {
    if (!confirming || unconfirmed.get() > KEPT_BYTES) {
      spool.forgetUpTo(sent);
      unconfirmed.set(0);
    } else if (sincePing > UNCONFIRMED_BYTES
        || sent - pinged > UNCONFIRMED_MESSAGES
        || System.nanoTime() - pingedNanos > LONGEST_UNPINGED_NANOS) {
      ping();
    }
  }

  private void ping() throws IOException {
    pinged = sent;
    sincePing = 0;
    pingedNanos = System.nanoTime();
    socket.ping(ByteBuffer.allocate(Long.BYTES).putLong(sent).array());
  }

  /// Takes a pong; one that answers none of our pings says nothing.
  void confirmed(byte[] pong) {
    if (pong.length == Long.BYTES) {
      long sequence = ByteBuffer.wrap(pong).getLong();
      if (sequence > 0 && sequence <= sent) {
        spool.forgetUpTo(sequence);
        unconfirmed.set(0);
      }
    }
  }

  /// Stops sending; when this returns, nothing more is written.
  void stop() {
    if (sender.getState() == Thread.State.NEW) {
      return;
    }
    sender.interrupt();
    try {
      sender.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Tells the client that another connection has taken its place.
  void replaced() {
    socket.close(
        new CloseReason(
            CloseReason.POLICY, "another connection with the same session_id took its place"));
    stop();
  }
}
