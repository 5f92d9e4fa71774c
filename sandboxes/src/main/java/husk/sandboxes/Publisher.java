package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Forward;
import husk.spi.PortMapping;
import husk.spi.Sandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A port of the host's loopback that leads to one inside a sandbox.
final class Publisher implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// Anybody on this machine may connect, and each costs descriptors of all sandboxes' daemon.
  private static final int MOST = 512;

  private final Sandbox sandbox;
  private final int inside;
  private final ServerSocket server;
  private final Thread acceptor;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private Publisher(Sandbox sandbox, int inside, ServerSocket server) {
    this.sandbox = sandbox;
    this.inside = inside;
    this.server = server;
    this.acceptor =
        Thread.ofVirtual().name("husk-port-" + server.getLocalPort()).unstarted(this::accept);
  }

  static Publisher open(Sandbox sandbox, PortMapping mapping) {
    try {
      var server = new ServerSocket(mapping.host(), 128, InetAddress.getLoopbackAddress());
      var publisher = new Publisher(sandbox, mapping.inside(), server);
      publisher.acceptor.start();
      return publisher;
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.ADDRESS_UNAVAILABLE,
              "cannot publish port " + mapping.host() + " on 127.0.0.1: " + e.getMessage(),
              "choose another port, or only `-p " + mapping.inside() + "` for any that is free")
          .causedBy(e);
    }
  }

  PortMapping mapping() {
    return new PortMapping(server.getLocalPort(), inside);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        if (open.size() >= MOST) {
          client.close();
          continue;
        }
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        // The loop sees whether it is over; else there are no descriptors for a moment.
        Pauses.milliseconds(5);
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Forward forward = sandbox.forward(inside)) {
      var up = Thread.ofVirtual().start(() -> upward(client, forward));
      try {
        forward.input().transferTo(client.getOutputStream());
        client.shutdownOutput();
        up.join();
      } finally {
        up.interrupt();
      }
    } catch (IOException | Problem e) {
      // Nobody listens inside, or one side has gone: the client sees a closed connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private static void upward(Socket client, Forward forward) {
    try {
      client.getInputStream().transferTo(forward.output());
      forward.endOutput();
    } catch (IOException e) {
      forward.close();
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (var client : open) {
        client.close();
      }
      // The port is free for somebody else only when nobody waits at it any more.
      acceptor.join(PATIENCE);
    } catch (IOException e) {
      // As closed as it gets.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
