package husk.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on loopback that counts who comes, and does with them as a test likes.
final class Upstream implements AutoCloseable {
  interface Behaviour {
    void serve(Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final Behaviour behaviour;
  private final AtomicInteger visitors = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private Upstream(ServerSocket server, Behaviour behaviour) {
    this.server = server;
    this.behaviour = behaviour;
  }

  static Upstream start(Behaviour behaviour) throws IOException {
    return start("127.0.0.1", behaviour);
  }

  static Upstream start(String address, Behaviour behaviour) throws IOException {
    return on(new ServerSocket(0, 512, InetAddress.ofLiteral(address)), behaviour);
  }

  static Upstream on(ServerSocket server, Behaviour behaviour) {
    var upstream = new Upstream(server, behaviour);
    Thread.ofVirtual().start(upstream::acceptAll);
    return upstream;
  }

  /// Answers every request with `200` and the head it got as its body.
  static Upstream echoingHeads() throws IOException {
    return start(
        socket -> {
          var head = head(socket.getInputStream());
          if (!head.isEmpty()) {
            answer(socket, "Content-Length: %d\r\n\r\n%s".formatted(head.length(), head));
          }
        });
  }

  static void answer(Socket socket, String restOfHeadAndBody) throws IOException {
    send(socket, "HTTP/1.1 200 OK\r\n" + restOfHeadAndBody);
  }

  static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int c = in.read();
      if (c < 0) {
        return head.toString();
      }
      head.append((char) c);
    }
    return head.toString();
  }

  int port() {
    return server.getLocalPort();
  }

  int visitors() {
    return visitors.get();
  }

  private void acceptAll() {
    while (!server.isClosed()) {
      try {
        var socket = server.accept();
        visitors.incrementAndGet();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        // Closed by the test.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      behaviour.serve(socket);
    } catch (IOException _) {
      // The other side left first; tests look at what it got.
    } finally {
      sockets.remove(socket);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (var socket : sockets) {
      socket.close();
    }
  }
}
