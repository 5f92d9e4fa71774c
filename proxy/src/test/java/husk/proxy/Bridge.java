package husk.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.file.Path;

/// What the first process of a sandbox does: takes connections on a port, introduces them, and
/// passes them to the proxy's socket.
final class Bridge implements AutoCloseable {
  private final Path proxy;
  private final Upstream listener;

  private Bridge(Path proxy) throws IOException {
    this.proxy = proxy;
    this.listener =
        Upstream.on(new ServerSocket(0, 512, InetAddress.ofLiteral("127.0.0.1")), this::pass);
  }

  static Bridge to(Path proxy) throws IOException {
    return new Bridge(proxy);
  }

  int port() {
    return listener.port();
  }

  private void pass(Socket socket) throws IOException {
    try (var client = Client.introduced(proxy)) {
      var back = Thread.ofVirtual().start(() -> passBack(client, socket));
      socket.getInputStream().transferTo(Channels.newOutputStream(client.channel()));
      client.finish();
      back.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void passBack(Client client, Socket socket) {
    try {
      Channels.newInputStream(client.channel()).transferTo(socket.getOutputStream());
      socket.shutdownOutput();
    } catch (IOException _) {
      // One side has left.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
