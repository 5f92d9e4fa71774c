package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.model.Ids;
import husk.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Jupyter client over a WebSocket, in either sub-protocol. It reads all the time, and confirms
/// what it has read.
final class Client implements AutoCloseable {
  /// For steps that take a moment; long enough for the slowest machine.
  static final long PATIENCE_SECONDS = 60;

  final String session = Ids.fresh();
  final boolean v1;
  final CompletableFuture<String> closed = new CompletableFuture<>();
  final RawClient raw;
  private final LinkedBlockingQueue<Received> inbox = new LinkedBlockingQueue<>();
  private final Thread reader;

  Client(TestServer server, String kernelId, Optional<String> sessionId, boolean v1) {
    this.v1 = v1;
    this.raw =
        new RawClient(
            server,
            kernelId,
            sessionId.map(id -> "?session_id=" + id).orElse(""),
            0,
            v1 ? "Sec-WebSocket-Protocol: other, " + V1Protocol.NAME + "\r\n" : "");
    if (!raw.status.contains(" 101 ")) {
      throw new AssertionError("refused: " + raw.status);
    }
    this.reader = Thread.ofVirtual().start(this::readAll);
  }

  // Receiving

  private void readAll() {
    try {
      for (var frame = raw.read(); frame.isPresent(); frame = raw.read()) {
        take(frame.get());
      }
    } catch (IOException | RuntimeException e) {
      closed.complete("error " + e);
    }
    closed.complete("1006 ");
  }

  private void take(RawClient.Frame frame) throws IOException {
    switch (frame.code()) {
      case WsInput.TEXT -> inbox.add(received(Json.tree(frame.payload()), List.of()));
      case WsInput.BINARY -> {
        var whole = ByteBuffer.wrap(frame.payload());
        inbox.add(v1 ? ofV1(whole) : ofBinary(whole));
      }
      case WsInput.PING -> raw.pong(frame);
      case WsInput.CLOSE -> {
        closed.complete(frame.closeCode() + " " + frame.text().substring(2));
        raw.frame(0x88, frame.payload());
      }
      default -> throw new IOException("unexpected frame " + frame.code());
    }
  }

  private static Received received(JsonNode message, List<byte[]> buffers) {
    return new Received(
        message.path("channel").asString(),
        message.path("header"),
        message.path("parent_header"),
        message.path("metadata"),
        message.path("content"),
        buffers);
  }

  private static Received ofBinary(ByteBuffer whole) {
    int count = whole.getInt(0);
    var pieces = new ArrayList<byte[]>();
    for (int i = 1; i <= count; i++) {
      int begin = whole.getInt(4 * i);
      int end = i < count ? whole.getInt(4 * (i + 1)) : whole.limit();
      var piece = new byte[end - begin];
      whole.get(begin, piece);
      pieces.add(piece);
    }
    return received(Json.tree(pieces.getFirst()), pieces.subList(1, count));
  }

  private static Received ofV1(ByteBuffer whole) {
    whole.order(ByteOrder.LITTLE_ENDIAN);
    int count = (int) whole.getLong(0);
    var pieces = new ArrayList<byte[]>();
    for (int i = 1; i < count; i++) {
      int begin = (int) whole.getLong(8 * i);
      var piece = new byte[(int) whole.getLong(8 * (i + 1)) - begin];
      whole.get(begin, piece);
      pieces.add(piece);
    }
    return new Received(
        new String(pieces.get(0), UTF_8),
        Json.tree(pieces.get(1)),
        Json.tree(pieces.get(2)),
        Json.tree(pieces.get(3)),
        Json.tree(pieces.get(4)),
        pieces.subList(5, pieces.size()));
  }

  Received next() {
    try {
      var message = inbox.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("no message for a long while; closed: " + closed.getNow("no"));
      }
      return message;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// All messages up to and including the first that fits.
  List<Received> until(Predicate<Received> wanted) {
    var messages = new ArrayList<Received>();
    do {
      messages.add(next());
    } while (!wanted.test(messages.getLast()));
    return messages;
  }

  /// Whether nothing waits to be read now.
  boolean quiet() {
    return inbox.isEmpty();
  }

  // Sending

  /// Sends a request with the fields that ipybox sends, and gives its id.
  String send(String channel, String type, ObjectNode content, List<byte[]> buffers) {
    var id = Ids.fresh();
    var header = Json.MAPPER.createObjectNode();
    header.put("msg_id", id).put("msg_type", type).put("session", session);
    header.put("username", "").put("version", "5.0");
    if (v1) {
      sendBinary(v1(channel, header, content, buffers));
      return id;
    }
    var message = Json.MAPPER.createObjectNode();
    message.put("channel", channel).set("header", header);
    message.putObject("parent_header");
    message.putObject("metadata");
    message.set("content", content);
    message.putObject("buffers");
    if (buffers.isEmpty()) {
      sendText(Json.text(message));
    } else {
      sendBinary(binary(Json.bytes(message), buffers));
    }
    return id;
  }

  void sendText(String message) {
    send(0x81, message.getBytes(UTF_8));
  }

  void sendBinary(byte[] message) {
    send(0x82, message);
  }

  private void send(int first, byte[] payload) {
    try {
      raw.frame(first, payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] binary(byte[] json, List<byte[]> buffers) {
    var pieces = new ArrayList<byte[]>();
    pieces.add(json);
    pieces.addAll(buffers);
    var out = new ByteArrayOutputStream();
    var head = ByteBuffer.allocate(4 * (1 + pieces.size())).putInt(pieces.size());
    int at = head.capacity();
    for (var piece : pieces) {
      head.putInt(at);
      at += piece.length;
    }
    out.writeBytes(head.array());
    pieces.forEach(out::writeBytes);
    return out.toByteArray();
  }

  private static byte[] v1(
      String channel, ObjectNode header, ObjectNode content, List<byte[]> buffers) {
    var pieces = new ArrayList<byte[]>();
    pieces.add(channel.getBytes(UTF_8));
    pieces.add(Json.bytes(header));
    pieces.add("{}".getBytes(UTF_8));
    pieces.add("{}".getBytes(UTF_8));
    pieces.add(Json.bytes(content));
    pieces.addAll(buffers);
    var head =
        ByteBuffer.allocate(8 * (2 + pieces.size()))
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(pieces.size() + 1);
    long at = head.capacity();
    for (var piece : pieces) {
      head.putLong(at);
      at += piece.length;
    }
    head.putLong(at);
    var out = new ByteArrayOutputStream();
    out.writeBytes(head.array());
    pieces.forEach(out::writeBytes);
    return out.toByteArray();
  }

  String execute(String code) {
    return execute(code, false);
  }

  String execute(String code, boolean allowStdin) {
    var content = Json.MAPPER.createObjectNode();
    content.put("code", code).put("silent", false).put("store_history", false);
    content.putObject("user_expressions");
    content.put("allow_stdin", allowStdin);
    return send("shell", "execute_request", content, List.of());
  }

  /// Runs code and gives everything up to its reply, where careless clients stop listening.
  List<Received> run(String code) {
    var id = execute(code);
    return until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
  }

  /// Runs code and gives what it printed.
  String printed(String code) {
    var messages = run(code);
    var id = messages.getLast().parentId();
    return printed(messages.stream().filter(m -> m.parentId().equals(id)).toList());
  }

  static String printed(List<Received> messages) {
    var printed = new StringBuilder();
    for (var message : messages) {
      if (message.type().equals("stream")) {
        printed.append(message.content().path("text").asString());
      }
    }
    return printed.toString();
  }

  /// Leaves without a goodbye, as when the network breaks, and gives what had arrived unread: that
  /// may have been confirmed.
  List<Received> drop() {
    try {
      raw.drop();
      reader.join();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    var unread = new ArrayList<Received>();
    inbox.drainTo(unread);
    return unread;
  }

  @Override
  public void close() {
    try {
      if (!closed.isDone()) {
        raw.frame(0x88, new byte[] {3, (byte) 0xe8});
      }
    } catch (IOException e) {
      // the server was quicker
    }
    closed.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    raw.close();
  }
}
