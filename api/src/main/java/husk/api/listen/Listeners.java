package husk.api.listen;

import static java.util.Objects.requireNonNull;

import husk.api.DaemonControl;
import husk.api.Spoken;
import husk.api.accept.Room;
import husk.api.observe.Metrics;
import husk.kernels.ProcFs;
import husk.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The TCP listeners that are open, each until it is closed, or until the process it was opened for
/// is gone.
public final class Listeners implements AutoCloseable {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration LAST_DRAIN = Duration.ofSeconds(10);

  private final Map<String, Listener> open = new ConcurrentHashMap<>();
  private final Room room = Room.forTcp();
  private final DaemonControl daemon;
  private volatile @Nullable Spoken spoken;
  private volatile @Nullable Metrics metrics;
  private final Thread watch = Thread.ofVirtual().name("husk-listener-owners").start(this::watch);

  public Listeners(DaemonControl daemon) {
    this.daemon = daemon;
  }

  /// Says what listeners serve, before the first is opened.
  public void serve(Spoken dialects, Metrics counted) {
    spoken = dialects;
    metrics = counted;
  }

  Listener open(ListenerSpec spec) {
    var listener =
        TcpServer.open(spec, requireNonNull(spoken), requireNonNull(metrics), daemon, room);
    open.put(listener.id, listener);
    return listener;
  }

  Listener require(String id) {
    var listener = open.get(id);
    if (listener == null) {
      throw new Problem(
          Problem.Code.LISTENER_NOT_FOUND,
          "Unknown listener: " + id,
          "it may have been closed; `husk serve` opens one");
    }
    return listener;
  }

  List<Listener> all() {
    return List.copyOf(open.values());
  }

  /// Whether any is open: a daemon that serves does not end for want of kernels.
  public boolean any() {
    return !open.isEmpty();
  }

  boolean close(Listener listener, Duration drain) {
    boolean drained = listener.close(drain);
    open.remove(listener.id);
    return drained;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK);
        all().stream().filter(Listeners::abandoned).forEach(one -> close(one, LAST_DRAIN));
      }
    } catch (InterruptedException over) {
      // closed
    }
  }

  private static boolean abandoned(Listener listener) {
    return listener.spec.owner().map(owner -> !ProcFs.alive(owner)).orElse(false);
  }

  @Override
  public void close() {
    watch.interrupt();
    all().parallelStream().forEach(listener -> close(listener, LAST_DRAIN));
  }
}
