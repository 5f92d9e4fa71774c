package husk.gateway;

import java.io.IOException;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The WebSocket in use, and after its loss the next one. Whoever sends meanwhile waits for it.
final class Sockets {
  /// Opens a WebSocket on a path of the gateway.
  interface Opening {
    WebSocket open(String path, WebSocket.Listener listener);
  }

  private record Open(WebSocket socket, Ears ears) {}

  private final Opening opening;
  private final String path;
  private final Consumer<JsonNode> onMessage;
  private final Consumer<String> onLoss;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Open current; // guarded by lock
  private @Nullable String over; // guarded by lock

  Sockets(Opening opening, String path, Consumer<JsonNode> onMessage, Consumer<String> onLoss) {
    this.opening = opening;
    this.path = path;
    this.onMessage = onMessage;
    this.onLoss = onLoss;
  }

  void connect() throws IOException {
    var ears = new Ears(onMessage, this::lost);
    WebSocket socket;
    try {
      socket = opening.open(path, ears);
    } catch (CompletionException e) {
      throw new IOException("the WebSocket cannot be opened: " + e.getCause(), e);
    }
    lock.lock();
    try {
      if (over != null) {
        socket.abort();
      } else if (ears.ended()) {
        throw new IOException("the WebSocket was closed at once");
      } else {
        current = new Open(socket, ears);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// One message at a time.
  void send(String message) throws IOException {
    var chosen = await();
    try {
      chosen.socket.sendText(message, true).join();
    } catch (CompletionException e) {
      throw new IOException("the line broke while it was sent: " + e.getCause(), e);
    }
  }

  private Open await() throws IOException {
    lock.lock();
    try {
      while (current == null && over == null) {
        changed.awaitUninterruptibly();
      }
      if (current == null) {
        throw new IOException(over);
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  /// Asks the gateway for a sign of life; one that gives none is lost.
  void ping() {
    Open asked;
    lock.lock();
    try {
      asked = current;
    } finally {
      lock.unlock();
    }
    if (asked != null && !asked.ears.ping(asked.socket)) {
      asked.socket.abort();
      lost(asked.ears, "the gateway gives no sign of life");
    }
  }

  private void lost(Ears ears, String why) {
    lock.lock();
    try {
      if (current == null || current.ears != ears || over != null) {
        return;
      }
      current = null;
    } finally {
      lock.unlock();
    }
    onLoss.accept(why);
  }

  /// Closes it for good; whoever sends is told why.
  void giveUp(String why) {
    lock.lock();
    try {
      over = why;
      if (current != null) {
        current.socket.abort();
        current = null;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
