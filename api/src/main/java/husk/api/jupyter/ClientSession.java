package husk.api.jupyter;

import husk.api.spool.Spool;
import husk.core.Service;
import husk.model.Problem;
import husk.wire.Channel;
import husk.wire.RawMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One client's conversation with one kernel. It may outlive the client's WebSocket for a while,
/// and outlives the kernel's process.
///
/// What the kernel says goes into a spool at once, and from there to the client as fast as that one
/// reads: [LineKeeper] fills it, the [Delivery] of the present WebSocket empties it.
final class ClientSession implements AutoCloseable {
  private final boolean kept;
  private final Spool spool;
  private final Outbox outbox;
  private final Counters counters;
  private final LineKeeper keeper;
  private final Thread forwarder;
  private volatile CloseReason whyOver = new CloseReason(CloseReason.GOING_AWAY, "Husk stops");

  /// The number of the last message after which clients reconnect of their own accord: one who has
  /// left politely since has seen it, and must not see it again, or it would reconnect for ever.
  private long turningPoint;

  private volatile long overNanos;
  private @Nullable Delivery delivery;
  private long newest;
  private long awayNanos = System.nanoTime();
  private boolean closed;

  /// @param kept whether the client may come back for what it missed
  ClientSession(Service core, String kernelId, boolean kept, JupyterState state) {
    this.kept = kept;
    this.counters = state.counters();
    this.spool = new Spool(state.directory(), state.limits());
    this.outbox = new Outbox(state.budget());
    this.keeper = new LineKeeper(core, kernelId, state, this);
    this.forwarder = Thread.ofVirtual().name("husk-ws-requests").unstarted(this::forward);
  }

  void start() {
    keeper.start();
    forwarder.start();
  }

  long spooled() {
    return spool.size();
  }

  /// Called now and then.
  void tick() {
    if (isOver()) {
      keeper.close();
    } else {
      keeper.releaseOverdueReplies();
    }
  }

  // Towards the client

  /// Sends to this WebSocket from now on, beginning with what the client has not confirmed; one
  /// that was connected before has to go.
  ///
  /// Empty when the session was given up in the meantime.
  ///
  /// @param arrival when it was accepted: whoever came later has the place, whatever thread is
  ///   first
  synchronized Optional<Delivery> connect(WsSocket socket, SubProtocol protocol, long arrival) {
    if (closed) {
      return Optional.empty();
    }
    var fresh = new Delivery(socket, protocol, spool, kept, counters, () -> whyOver);
    if (delivery != null && newest > arrival) {
      fresh.replaced();
      return Optional.of(fresh);
    }
    if (delivery != null) {
      delivery.replaced();
    }
    newest = arrival;
    delivery = fresh;
    keeper.attachment().hold();
    fresh.start();
    return Optional.of(fresh);
  }

  /// The client's WebSocket has ended.
  ///
  /// @param politely whether it said goodbye
  @SuppressWarnings("ReferenceEquality") // that very connection
  void disconnected(Delivery gone, boolean politely) {
    gone.stop();
    synchronized (this) {
      if (politely && gone.sent() >= turningPoint) {
        spool.forgetUpTo(turningPoint);
      }
      if (gone == delivery) {
        delivery = null;
        awayNanos = System.nanoTime();
        keeper.attachment().release();
      }
    }
  }

  /// How long the client has been away; empty while it is here.
  synchronized Optional<Duration> away() {
    return delivery != null
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(System.nanoTime() - awayNanos));
  }

  /// Puts a message where the client will get it.
  void deliver(Channel channel, RawMessage message) {
    try {
      spool.append(V1Layout.of(channel, message));
    } catch (Problem full) {
      counters.overflowed();
      over(new CloseReason(CloseReason.POLICY, full.text()));
    }
  }

  /// The same for one after which clients reconnect; who leaves at once finds that noted.
  synchronized void deliverTurningPoint(Channel channel, RawMessage message) {
    deliver(channel, message);
    turningPoint = spool.next() - 1;
  }

  /// Nothing more comes; the client gets what there is, and is then told why.
  void over(CloseReason reason) {
    if (!spool.ended()) {
      whyOver = reason;
      overNanos = System.nanoTime();
      spool.end();
    }
  }

  /// How long it has been over; empty while it is not.
  Optional<Duration> sinceOver() {
    return isOver()
        ? Optional.of(Duration.ofNanos(System.nanoTime() - overNanos))
        : Optional.empty();
  }

  // Towards the kernel

  /// Takes a client's message for the kernel.
  ///
  /// @param bytes what it holds of the budget
  void fromClient(Inbound inbound, long bytes) throws Refused {
    counters.received();
    var letter = new Outbox.Letter(inbound.message(), bytes);
    if (inbound.channel() == Channel.SHELL) {
      outbox.put(letter);
      return;
    }
    keeper.sayAside(inbound.channel(), inbound.message());
    outbox.done(letter);
  }

  void askAgain(RawMessage request) {
    outbox.putBack(new Outbox.Letter(request, 0));
  }

  /// Takes back the requests that have not been passed on yet.
  List<RawMessage> unasked() {
    return outbox.drain().stream().filter(Requests::wantsReply).toList();
  }

  private void forward() {
    try {
      for (var next = outbox.take(); next.isPresent(); next = outbox.take()) {
        if (keeper.ask(next.get().request())) {
          outbox.done(next.get());
        } else {
          outbox.putBack(next.get());
        }
      }
    } catch (InterruptedException closed) {
      // nobody does that
    }
  }

  /// Whether nothing more will ever come.
  boolean isOver() {
    return spool.ended();
  }

  boolean kept() {
    return kept;
  }

  /// Closes it unless the client is here.
  boolean giveUp() {
    synchronized (this) {
      if (delivery != null) {
        return false;
      }
      closed = true;
    }
    close();
    return true;
  }

  @Override
  public void close() {
    keeper.close();
    outbox.close();
    spool.end();
    synchronized (this) {
      closed = true;
      if (delivery != null) {
        delivery.socket().close(whyOver);
      }
    }
    spool.close();
  }

  /// Waits, after it was closed, until nothing of it touches the kernel any more.
  void awaitEnd() {
    keeper.awaitEnd();
  }
}
