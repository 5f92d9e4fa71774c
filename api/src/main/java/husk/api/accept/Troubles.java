package husk.api.accept;

import java.time.Duration;
import java.util.function.Consumer;

/// Says what keeps connections out, when it begins and when it is over, and not each time.
final class Troubles {
  private static final long AGAIN = Duration.ofMinutes(1).toNanos();

  private final Consumer<String> says;
  private long saidFull = System.nanoTime() - AGAIN;
  private boolean failing;

  Troubles(Consumer<String> says) {
    this.says = says;
  }

  void full(Room room) {
    long now = System.nanoTime();
    if (now - saidFull >= AGAIN) {
      saidFull = now;
      says.accept(
          "no place for more connections: there are %d, at most %d, and %d descriptors; the longest idle are closed"
              .formatted(room.size(), room.most(), Descriptors.limit()));
    }
  }

  void cannotAccept(Throwable cause) {
    if (!failing) {
      failing = true;
      says.accept("cannot accept connections for now, and goes on trying: " + cause);
    }
  }

  void over() {
    if (failing) {
      failing = false;
      says.accept("accepts connections again");
    }
  }
}
