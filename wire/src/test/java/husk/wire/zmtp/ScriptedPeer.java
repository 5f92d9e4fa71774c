package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import husk.wire.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/// Accepts one connection on a Unix socket and plays its script, then stays silent until closed.
final class ScriptedPeer implements AutoCloseable {
  interface Script {
    void play(ScriptedPeer peer) throws IOException, InterruptedException;
  }

  private final Path path;
  private final ServerSocketChannel server;
  private final CompletableFuture<SocketChannel> connection = new CompletableFuture<>();
  private final CompletableFuture<Boolean> played = new CompletableFuture<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  ScriptedPeer(Path folder, Script script) throws IOException {
    path = folder.resolve("peer");
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    thread = Thread.ofVirtual().name("scripted-peer").start(() -> run(script));
  }

  private void run(Script script) {
    try (var channel = server.accept()) {
      connection.complete(channel);
      script.play(this);
      played.complete(true);
      closed.await();
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      connection.completeExceptionally(e);
      played.completeExceptionally(e);
    }
  }

  Endpoint endpoint() {
    return new Endpoint.Unix(path);
  }

  void say(byte[] bytes) throws IOException {
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      connection.join().write(buffer);
    }
  }

  byte[] hear(int count) throws IOException {
    var buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining()) {
      if (connection.join().read(buffer) < 0) {
        throw new IOException("the client left after " + buffer.position() + " bytes");
      }
    }
    return buffer.array();
  }

  void hangUp() throws IOException {
    connection.join().close();
  }

  /// The client's greeting and READY, answered.
  void shakeHands(String type, SocketType client) throws IOException {
    hear(Greeting.SIZE);
    say(Greeting.ours());
    hear(2 + ReadyCommand.ours(client, new byte[0]).length);
    say(ready(type));
  }

  /// Waits for the script's end, and fails as it failed.
  void await() throws InterruptedException, ExecutionException {
    played.get();
  }

  static byte[] ready(String type) {
    var body = new ByteArrayOutputStream();
    body.writeBytes("\13Socket-Type\0\0\0".getBytes(US_ASCII));
    body.write(type.length());
    body.writeBytes(type.getBytes(US_ASCII));
    return command(Command.bytes("READY", body.toByteArray()));
  }

  static byte[] command(byte[] body) {
    return ByteBuffer.allocate(2 + body.length)
        .put((byte) 4)
        .put((byte) body.length)
        .put(body)
        .array();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
    if (connection.isDone() && !connection.isCompletedExceptionally()) {
      connection.join().close();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the peer's end", e);
    }
  }
}
