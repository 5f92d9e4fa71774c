package husk.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A way through to a port of this machine that can be cut, or fall silent.
final class Passage implements AutoCloseable {
  private final ServerSocket entrance;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
  private volatile boolean blocked;

  Passage(int target) throws IOException {
    this.target = target;
    this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  /// Ends every connection there is, as a broken network would.
  void cut() throws IOException {
    for (var socket : open) {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
        socket.close();
      }
    }
    open.clear();
  }

  /// Lets nobody through for now.
  void block(boolean yes) {
    blocked = yes;
  }

  /// Lets nothing more pass on the connections there are, and does not end them either.
  void silence() {
    silent.addAll(open);
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        var near = entrance.accept();
        if (blocked) {
          near.close();
          continue;
        }
        var far = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(near);
        open.add(far);
        Thread.ofVirtual().start(() -> carry(near, far));
        Thread.ofVirtual().start(() -> carry(far, near));
      } catch (IOException e) {
        // Closed, or nobody there.
      }
    }
  }

  private void carry(Socket from, Socket to) {
    var bytes = new byte[65536];
    try (from;
        to) {
      for (int n = from.getInputStream().read(bytes);
          n >= 0;
          n = from.getInputStream().read(bytes)) {
        if (!silent.contains(from)) {
          to.getOutputStream().write(bytes, 0, n);
        }
      }
    } catch (IOException e) {
      // Cut.
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    cut();
  }
}
