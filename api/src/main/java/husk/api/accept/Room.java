package husk.api.accept;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// How many connections there may be. When there is no place left, one that keeps others waiting
/// for nothing gives way.
public final class Room {
  private static final int MOST = 10_000;
  private static final int LEAST = 64;

  /// What one may take of the heap: a head half read, buffers, those of TLS.
  private static final int BYTES_EACH = 64 << 10;

  private final int most;
  private final BooleanSupplier scarce;
  private final Set<Visit> visits = ConcurrentHashMap.newKeySet();

  /// @param most how many there may be
  /// @param scarce whether there is no place for more although there are fewer
  public Room(int most, BooleanSupplier scarce) {
    this.most = most;
    this.scarce = scarce;
  }

  /// For connections over TCP, of all listeners together: half of the descriptors at most, and none
  /// once most of them are used for whatever it may be; a quarter of the memory.
  public static Room forTcp() {
    return new Room(most(2), new Descriptors()::scarce);
  }

  /// For the daemon's own socket: there is room even if there is none over TCP.
  public static Room forOwner() {
    return new Room(most(4), () -> false);
  }

  private static int most(int part) {
    long byMemory = Runtime.getRuntime().maxMemory() / 4 / BYTES_EACH;
    long byDescriptors = Descriptors.limit() / part;
    return Math.clamp(Math.min(byMemory, byDescriptors), LEAST, MOST);
  }

  int most() {
    return most;
  }

  int size() {
    return visits.size();
  }

  boolean full() {
    return visits.size() >= most || scarce.getAsBoolean();
  }

  void enter(Visit visit) {
    visits.add(visit);
  }

  void leave(Visit visit) {
    visits.remove(visit);
  }

  /// Ends the connection that others wait for least deservedly; false when there is none.
  boolean makePlace(Patience patience) {
    var first = firstToYield(patience);
    if (first == null) {
      return false;
    }
    first.cut();
    visits.remove(first);
    return true;
  }

  /// Written so that it needs no class that is not there yet: without descriptors none is loaded.
  private @Nullable Visit firstToYield(Patience patience) {
    long now = System.nanoTime();
    Visit first = null;
    long most = -1;
    for (var visit : visits) {
      long readiness = visit.stage().yields(patience, now).orElse(-1);
      if (readiness > most) {
        first = visit;
        most = readiness;
      }
    }
    return first;
  }
}
