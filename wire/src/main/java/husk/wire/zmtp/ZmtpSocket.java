package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.wire.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One connection to a ZeroMQ peer, as its client.
///
/// Blocking, and meant for virtual threads. Any thread may send; one thread at a time may receive.
/// After an exception from [#receive] the connection is closed. [#close] wakes whoever is blocked.
/// Interrupting a thread that is blocked closes the connection too, as channels do.
public final class ZmtpSocket implements AutoCloseable {
  private static final byte[] NO_IDENTITY = {};
  private static final int BUFFER = 64 * 1024;
  private static final int HEARTBEAT_BUFFER = 1024;

  private final ByteChannel channel;
  private final SocketType type;
  private final Limits limits;
  private final FrameReader reader;
  private final FrameWriter writer;

  private ZmtpSocket(ByteChannel channel, SocketType type, Limits limits, FrameGate gate) {
    this.channel = channel;
    this.type = type;
    this.limits = limits;
    int buffer = type == SocketType.REQ ? HEARTBEAT_BUFFER : BUFFER;
    this.reader = new FrameReader(channel, limits, gate, buffer);
    this.writer = new FrameWriter(channel);
  }

  /// Connects and shakes hands, both within the time given.
  public static ZmtpSocket connect(Endpoint endpoint, SocketType type, Duration handshakeTimeout)
      throws IOException {
    return connect(endpoint, type, handshakeTimeout, Limits.DEFAULT);
  }

  /// The same, with limits of our own.
  public static ZmtpSocket connect(
      Endpoint endpoint, SocketType type, Duration handshakeTimeout, Limits limits)
      throws IOException {
    return connect(endpoint, type, NO_IDENTITY, handshakeTimeout, limits);
  }

  /// The same, under an identity that a ROUTER will know us by, and with limits of our own.
  public static ZmtpSocket connect(
      Endpoint endpoint, SocketType type, byte[] identity, Duration handshakeTimeout, Limits limits)
      throws IOException {
    return connect(endpoint, type, identity, handshakeTimeout, limits, FrameGate.OPEN);
  }

  /// The same, with a gate that is asked before memory is taken for a frame.
  public static ZmtpSocket connect(
      Endpoint endpoint,
      SocketType type,
      byte[] identity,
      Duration handshakeTimeout,
      Limits limits,
      FrameGate gate)
      throws IOException {
    var address = address(endpoint);
    var channel = open(address);
    return start(
        channel, () -> channel.connect(address), type, identity, handshakeTimeout, limits, gate);
  }

  /// Shakes hands over a blocking channel that somebody else has connected, and owns it from then
  /// on.
  ///
  /// The deadline relies on the channel's `close` waking a thread that is blocked in it.
  public static ZmtpSocket over(
      ByteChannel channel,
      SocketType type,
      byte[] identity,
      Duration handshakeTimeout,
      Limits limits)
      throws IOException {
    return start(channel, () -> {}, type, identity, handshakeTimeout, limits, FrameGate.OPEN);
  }

  private interface Connecting {
    void run() throws IOException;
  }

  private static ZmtpSocket start(
      ByteChannel channel,
      Connecting connecting,
      SocketType type,
      byte[] identity,
      Duration timeout,
      Limits limits,
      FrameGate gate)
      throws IOException {
    var deadline = Deadline.start(channel, timeout);
    try {
      connecting.run();
      var socket = new ZmtpSocket(channel, type, limits, gate);
      socket.shakeHands(identity);
      deadline.meet();
      return socket;
    } catch (IOException e) {
      channel.close();
      throw deadline.explain(e);
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static SocketAddress address(Endpoint endpoint) throws IOException {
    return switch (endpoint) {
      case Endpoint.Unix(var path) -> UnixDomainSocketAddress.of(path);
      case Endpoint.Tcp(var host, var port) -> {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
          throw new UnknownHostException(host);
        }
        yield address;
      }
    };
  }

  private static SocketChannel open(SocketAddress address) throws IOException {
    if (address instanceof UnixDomainSocketAddress) {
      return SocketChannel.open(StandardProtocolFamily.UNIX);
    }
    return SocketChannel.open().setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /// Without a secret to agree on, neither side's words depend on the other's: ours go out at once.
  private void shakeHands(byte[] identity) throws IOException {
    var ready = FrameEncoder.command(ReadyCommand.ours(type, identity));
    writer.write(ByteBuffer.wrap(Greeting.ours()), ready[0], ready[1]);
    reader.readGreeting();
    var frame = reader.next();
    if (!frame.command()) {
      throw new ZmtpException("the peer sent a message before its READY");
    }
    ReadyCommand.check(frame.body(), type);
  }

  /// Asks for messages whose first frame begins with the topic; an empty one asks for all.
  public void subscribe(String topic) throws IOException {
    if (type != SocketType.SUB) {
      throw new IllegalStateException("a " + type + " socket does not subscribe");
    }
    var prefix = topic.getBytes(UTF_8);
    var subscription = new byte[1 + prefix.length];
    subscription[0] = 1;
    System.arraycopy(prefix, 0, subscription, 1, prefix.length);
    writer.write(FrameEncoder.message(List.of(subscription)));
  }

  /// Sends one message of one or more frames; returns when the operating system has all of it.
  public void send(List<byte[]> frames) throws IOException {
    if (type == SocketType.SUB) {
      throw new IllegalStateException("a SUB socket does not send");
    }
    writer.write(FrameEncoder.message(type == SocketType.REQ ? delimited(frames) : frames));
  }

  private static List<byte[]> delimited(List<byte[]> frames) {
    var delimited = new ArrayList<byte[]>(frames.size() + 1);
    delimited.add(NO_IDENTITY);
    delimited.addAll(frames);
    return delimited;
  }

  /// Waits for one message and gives its frames.
  ///
  /// @throws java.io.EOFException when the peer is gone
  /// @throws ZmtpException when it breaks the protocol or a limit
  /// @throws java.nio.channels.ClosedChannelException when [#close] was called
  public List<byte[]> receive() throws IOException {
    try {
      var frames = message();
      return type == SocketType.REQ ? undelimited(frames) : frames;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private List<byte[]> message() throws IOException {
    var frames = new ArrayList<byte[]>();
    long size = 0;
    while (true) {
      var frame = reader.next();
      if (frame.command()) {
        obey(Command.parse(frame.body()));
        continue;
      }
      frames.add(frame.body());
      size += frame.body().length;
      if (frames.size() > limits.frames() || size > limits.messageSize()) {
        throw new ZmtpException("the peer sent a message beyond the limits: " + limits);
      }
      if (!frame.more()) {
        return frames;
      }
    }
  }

  private void obey(Command command) throws IOException {
    if (command.name().equals("PING")) {
      writer.owe(Command.pong(command));
    }
  }

  private static List<byte[]> undelimited(List<byte[]> frames) throws ZmtpException {
    if (frames.size() < 2 || frames.getFirst().length > 0) {
      throw new ZmtpException("the peer sent a reply without an empty frame at its front");
    }
    return frames.subList(1, frames.size());
  }

  /// Whether it can still be used, as far as is known here.
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
