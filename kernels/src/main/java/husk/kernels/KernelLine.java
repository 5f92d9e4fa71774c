package husk.kernels;

import husk.model.Ids;
import husk.wire.Channel;
import husk.wire.ConnectionInfo;
import husk.wire.Header;
import husk.wire.Json;
import husk.wire.MalformedMessage;
import husk.wire.RawCodec;
import husk.wire.RawMessage;
import husk.wire.Signer;
import husk.wire.zmtp.Limits;
import husk.wire.zmtp.SocketType;
import husk.wire.zmtp.ZmtpSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// One remote client's own line to a kernel: messages go through as they are, both ways.
///
/// It has a shell and an iopub socket from the start; control and stdin are opened when they are
/// needed. All share one identity, so that a kernel's question on stdin reaches the client whose
/// code asks it. When the kernel hangs up any of them, the line has ended.
public final class KernelLine implements AutoCloseable {
  private static final Duration HANDSHAKE = Duration.ofSeconds(5);
  private static final Duration NUDGE = Duration.ofMillis(250);
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  /// Takes what the kernel says. What blocks in it holds the kernel back.
  public interface Listener {
    void received(Channel channel, RawMessage message);

    /// The line has ended, and nothing more is received; said once, unless it was closed here.
    void ended();
  }

  private final ConnectionInfo info;
  private final byte[] identity;
  private final Listener listener;
  private final RawCodec codec;
  private final String nudging = "husk-nudge-" + Ids.fresh();
  private final Map<Channel, ZmtpSocket> sockets = new EnumMap<>(Channel.class);
  private final CountDownLatch heard = new CountDownLatch(1);
  private final CountDownLatch silent = new CountDownLatch(2);
  private final AtomicBoolean open = new AtomicBoolean(true);

  private KernelLine(ConnectionInfo info, byte[] identity, Listener listener) {
    this.info = info;
    this.identity = identity.clone();
    this.listener = listener;
    this.codec = new RawCodec(new Signer(info.key(), info.signatureScheme()));
  }

  /// Connects and waits until broadcasts are known to arrive: for `iopub_welcome`, or for the
  /// broadcast that a nudge on the control channel causes. A kernel that is too busy to say
  /// anything within `limit` is taken as it is.
  ///
  /// @param identity what the kernel knows the client by
  public static KernelLine open(
      ConnectionInfo info, byte[] identity, Duration limit, Listener listener) throws IOException {
    var line = new KernelLine(info, identity, listener);
    try {
      var iopub = line.socket(Channel.IOPUB);
      line.socket(Channel.SHELL);
      iopub.subscribe("");
      line.awaitBroadcasts(limit);
      return line;
    } catch (IOException e) {
      line.close();
      throw e;
    }
  }

  private void awaitBroadcasts(Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!heard.await(NUDGE.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!open.get()) {
          throw new IOException("the kernel is gone");
        }
        if (System.nanoTime() > deadline) {
          return;
        }
        send(Channel.CONTROL, nudge());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while connecting", e);
    }
  }

  private RawMessage nudge() {
    return RawMessage.of(
        Header.of("kernel_info_request", nudging),
        Optional.empty(),
        Json.MAPPER.createObjectNode());
  }

  /// Passes a message on, on any channel but iopub and heartbeat; blocks while the kernel has no
  /// room for it.
  public void send(Channel channel, RawMessage message) throws IOException {
    socket(channel).send(codec.encode(message));
  }

  /// Makes sure that the kernel can ask its client something.
  public void openStdin() throws IOException {
    socket(Channel.STDIN);
  }

  public boolean isOpen() {
    return open.get();
  }

  private ZmtpSocket socket(Channel channel) throws IOException {
    synchronized (sockets) {
      if (!open.get()) {
        throw new IOException("the kernel is gone");
      }
      var present = sockets.get(channel);
      return present != null ? present : connect(channel);
    }
  }

  private ZmtpSocket connect(Channel channel) throws IOException {
    boolean broadcasts = channel == Channel.IOPUB;
    var memory = new LineMemory();
    var socket =
        ZmtpSocket.connect(
            info.endpoint(channel),
            broadcasts ? SocketType.SUB : SocketType.DEALER,
            broadcasts ? new byte[0] : identity,
            HANDSHAKE,
            Limits.DEFAULT,
            memory);
    sockets.put(channel, socket);
    Threads.start("husk-line-" + channel, () -> read(channel, socket, memory));
    return socket;
  }

  private void read(Channel channel, ZmtpSocket socket, LineMemory memory) {
    try {
      while (open.get()) {
        hear(channel, socket);
        memory.release();
      }
    } catch (IOException e) {
      // the kernel hung up, or close() did
    } finally {
      memory.release();
      fallSilent(channel);
    }
  }

  private void hear(Channel channel, ZmtpSocket socket) throws IOException {
    try {
      var message = codec.decode(socket.receive());
      if (channel == Channel.IOPUB) {
        heard.countDown();
      }
      if (!message.parentSession().equals(nudging) && !message.type().equals("iopub_welcome")) {
        listener.received(channel, message);
      }
    } catch (MalformedMessage e) {
      // the sender's fault, and no reason to stop listening
    }
  }

  /// When one channel ends, what is on its way on the others is read first.
  private void fallSilent(Channel channel) {
    if (channel == Channel.IOPUB || channel == Channel.SHELL) {
      silent.countDown();
    }
    try {
      silent.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (hangUp()) {
      listener.ended();
    }
  }

  private boolean hangUp() {
    if (!open.compareAndSet(true, false)) {
      return false;
    }
    heard.countDown();
    synchronized (sockets) {
      sockets.values().forEach(KernelLine::close);
    }
    return true;
  }

  private static void close(ZmtpSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is closed either way
    }
  }

  @Override
  public void close() {
    hangUp();
  }
}
