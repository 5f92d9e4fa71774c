package husk.api.listen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// One line per request, for those who follow it. A query, which may hold a key, is never in it.
final class AccessLog {
  private final List<Consumer<String>> followers = new CopyOnWriteArrayList<>();

  /// One answered request.
  ///
  /// @param caller the address it came from
  /// @param what method and path
  /// @param status of the answer
  /// @param bytes of the answer's body
  /// @param millis from its arrival to its answer
  /// @param requestId as the answer says it
  record Entry(String caller, String what, int status, long bytes, long millis, String requestId) {
    String line() {
      return "%s \"%s\" %d %d B %d ms %s"
          .formatted(caller, printable(what), status, bytes, millis, requestId);
    }

    /// A path may hold anything; a log must not be written by it.
    private static String printable(String text) {
      return text.replaceAll("[^\\x20-\\x7e]", "?").replace("\"", "%22");
    }
  }

  void add(Entry entry) {
    if (!followers.isEmpty()) {
      var line = entry.line();
      followers.forEach(follower -> follower.accept(line));
    }
  }

  /// Something else that whoever serves should know; callers cannot begin a line like this.
  void tell(String what) {
    followers.forEach(follower -> follower.accept("husk: " + what));
  }

  void follow(Consumer<String> follower) {
    followers.add(follower);
  }

  void leave(Consumer<String> follower) {
    followers.remove(follower);
    synchronized (followers) {
      followers.notifyAll();
    }
  }

  /// Waits until nobody follows, so that all have heard of the end.
  void awaitNobody(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (followers) {
      try {
        while (!followers.isEmpty() && System.nanoTime() < deadline) {
          followers.wait(100);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
