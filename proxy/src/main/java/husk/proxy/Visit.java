package husk.proxy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One connection out of a sandbox, from its first byte to its last: the client, and the server it
/// was let through to. Closing it ends whatever is going on in it, in any thread.
final class Visit implements Closeable {
  private final Gate gate;
  private final Journal journal;
  private final Limits limits;
  private final Patience patience;
  private final Peer client;

  private @Nullable Peer server;
  private boolean isClosed;
  private volatile @Nullable Way way;
  private volatile Preface preface = Preface.UNKNOWN;

  Visit(SocketChannel channel, Gate gate, Journal journal, Limits limits) {
    this.gate = gate;
    this.journal = journal;
    this.limits = limits;
    this.patience = new Patience(limits.preface());
    this.client = new Peer(channel, patience);
  }

  Peer client() {
    return client;
  }

  Gate gate() {
    return gate;
  }

  boolean isQuietForTooLong() {
    return patience.isOver();
  }

  void introducedBy(Preface who) {
    preface = who;
    patience.be(limits.idle());
  }

  /// The client will send no more. It may be waiting for an answer, or gone.
  void clientFinished() {
    patience.be(limits.orphaned());
  }

  /// Lets a request through to its server, and puts it on record; or does neither.
  Peer enter(Access access) throws Refusal, InterruptedException {
    try {
      gate.ask(access);
      var found = new Way(access, gate.resolve(access));
      // First known, then checked: a change of policy in between is seen by one of the two.
      way = found;
      var rule = gate.check(found);
      var reached = reach(found);
      journal.allowed(preface, access, rule);
      return reached;
    } catch (Refusal e) {
      way = null;
      throw refused(access, e);
    }
  }

  /// Puts a refusal on record.
  Refusal refused(Access access, Refusal refusal) {
    journal.refused(preface, access, refusal);
    return refusal;
  }

  /// The same for what cannot even be understood.
  Refusal refused(String protocol, Refusal refusal) {
    journal.refused(preface, protocol, refusal);
    return refusal;
  }

  /// The request is over; the next one is looked at afresh.
  void leave() {
    way = null;
    setServer(null);
  }

  /// Ends what the policy of this moment would not let through.
  void reconsider() {
    var current = Optional.ofNullable(way);
    if (current.isEmpty()) {
      return;
    }
    try {
      gate.check(current.get());
    } catch (Refusal e) {
      var access = current.get().access();
      way = null;
      refused(access, new Refusal(Reason.POLICY_CHANGED, e.rule(), e.text(), e.remedy()));
      close();
    }
  }

  private Peer reach(Way to) throws Refusal {
    long deadline = System.nanoTime() + limits.connect().toNanos();
    int left = to.addresses().size();
    var failure = "";
    for (var address : to.addresses()) {
      long share = Math.max(1, (deadline - System.nanoTime()) / left--);
      try {
        return connect(new InetSocketAddress(address, to.access().port()), Duration.ofNanos(share));
      } catch (IOException e) {
        failure = "%s: %s".formatted(address.getHostAddress(), e.getMessage());
      }
    }
    throw Refusal.unreachable("cannot connect to %s (%s)".formatted(to.access().place(), failure));
  }

  private Peer connect(InetSocketAddress address, Duration patient) throws IOException {
    var channel = SocketChannel.open();
    var peer = new Peer(channel, patience);
    setServer(peer);
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, Math.clamp(patient.toMillis(), 1, 60_000));
      patience.renew();
      return peer;
    } catch (UnsupportedAddressTypeException e) {
      peer.close();
      throw new IOException("this machine has no IPv6", e);
    } catch (IOException e) {
      peer.close();
      throw e;
    }
  }

  private synchronized void setServer(@Nullable Peer next) {
    closeServer();
    server = next;
    if (isClosed) {
      closeServer();
    }
  }

  private void closeServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    client.close();
    closeServer();
  }
}
