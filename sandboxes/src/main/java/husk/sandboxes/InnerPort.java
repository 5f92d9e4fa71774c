package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Forward;
import husk.spi.Sandbox;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A Unix socket of the host that leads to a port inside a sandbox. Only who may enter the socket's
/// folder can connect.
public final class InnerPort implements AutoCloseable {
  private final Supplier<Sandbox> sandbox;
  private final int port;
  private final Path path;
  private final ServerSocketChannel server;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

  private InnerPort(Supplier<Sandbox> sandbox, int port, Path path, ServerSocketChannel server) {
    this.sandbox = sandbox;
    this.port = port;
    this.path = path;
    this.server = server;
  }

  /// Listens at a path; what an earlier process left there is replaced.
  public static InnerPort open(Supplier<Sandbox> sandbox, int port, Path path) throws IOException {
    Files.deleteIfExists(path);
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      server.close();
      throw e;
    }
    var inner = new InnerPort(sandbox, port, path, server);
    Thread.ofVirtual().name("husk-inner-port").start(inner::accept);
    return inner;
  }

  /// Whether somebody listens at a path.
  public static boolean answers(Path path) {
    try (var _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return true;
    } catch (IOException nobody) {
      return false;
    }
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        var client = server.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        // The loop sees whether it is over.
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client;
        Forward forward = sandbox.get().forward(port)) {
      var up = Thread.ofVirtual().start(() -> upward(client, forward));
      try {
        forward.input().transferTo(Channels.newOutputStream(client));
      } finally {
        // Whoever talked to what has ended inside has nobody to talk to any more.
        up.interrupt();
      }
    } catch (IOException | Problem e) {
      // Nobody listens inside, or one side has gone: the client sees a closed connection.
    } finally {
      open.remove(client);
    }
  }

  private static void upward(SocketChannel client, Forward forward) {
    try {
      Channels.newInputStream(client).transferTo(forward.output());
    } catch (IOException e) {
      // Either side has gone; both are closed now.
    }
    forward.close();
  }

  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(path);
      for (var client : open) {
        client.close();
      }
    } catch (IOException e) {
      // As closed as it gets.
    }
  }
}
