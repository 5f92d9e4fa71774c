package husk.sandboxes;

import husk.model.Ids;
import husk.spi.Mount;
import husk.spi.SandboxSpec;
import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.wire.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Sandboxes that are started before anybody asks: each is given away once and never comes back.
///
/// They are made by the same code from the same specification as any other, so that there is no
/// second kind of sandbox whose walls could differ.
final class Pool implements AutoCloseable {
  private static final int KINDS = 3;
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");

  private final SandboxRegistry registry;
  private final Homes homes;
  private final PoolSettings settings;
  private final ReentrantLock filling = new ReentrantLock();
  private volatile boolean closed;
  // What was asked for lately; whoever never asked for a sandbox is not to pay for ready ones.
  private final Map<SandboxSpec, Instant> wanted = new ConcurrentHashMap<>();

  Pool(SandboxRegistry registry, Homes homes, PoolSettings settings) {
    this.registry = registry;
    this.homes = homes;
    this.settings = settings;
  }

  /// A ready sandbox of just this specification, from now on the one of `candidate`.
  Optional<SandboxRow> take(SandboxRow candidate, SandboxSpec spec) {
    remember(spec.temporary(0));
    for (var row : ready()) {
      if (homes.spec(row).equals(spec.temporary(0))) {
        var taken = registry.adopt(row.id(), candidate);
        if (taken.isPresent()) {
          return taken;
        }
      }
    }
    return Optional.empty();
  }

  private List<SandboxRow> ready() {
    return settings.size() == 0
        ? List.of()
        : registry.list().stream().filter(row -> row.status() == Status.READY).toList();
  }

  /// Only what nobody could have written to is started for whoever may come.
  private void remember(SandboxSpec spec) {
    if (spec.ports().isEmpty() && spec.mounts().stream().noneMatch(Mount::writable)) {
      wanted.put(spec, Instant.now());
    }
    if (wanted.size() > KINDS) {
      wanted.entrySet().stream()
          .min(Map.Entry.comparingByValue())
          .ifPresent(oldest -> wanted.remove(oldest.getKey()));
    }
  }

  /// Fills it up, one at a time, and removes what has become too old or is no longer asked for.
  void maintain() {
    filling.lock();
    try {
      if (settings.size() > 0 && !closed) {
        fill();
      }
    } finally {
      filling.unlock();
    }
  }

  private void fill() {
    var oldest = Instant.now().minus(settings.age());
    wanted.values().removeIf(oldest::isAfter);
    var ready = new HashMap<SandboxSpec, Integer>();
    for (var row : ready()) {
      var spec = homes.spec(row);
      if (row.createdAt().isBefore(oldest) || !wanted.containsKey(spec)) {
        homes.remove(row);
      } else {
        ready.merge(spec, 1, Integer::sum);
      }
    }
    wanted.keySet().stream()
        .filter(spec -> ready.getOrDefault(spec, 0) < settings.size())
        .findFirst()
        .ifPresent(this::add);
  }

  private void add(SandboxSpec spec) {
    var row = fresh(spec);
    registry.insert(row);
    try {
      homes.startClaimed(row, Status.READY);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "cannot start a sandbox for the pool", e);
      homes.remove(row);
      wanted.remove(spec);
    }
  }

  private static SandboxRow fresh(SandboxSpec spec) {
    var now = Instant.now();
    return new SandboxRow(
        Ids.fresh(),
        Optional.empty(),
        Status.STARTING,
        Self.PID,
        Self.START_TIME,
        now,
        now,
        0,
        Optional.empty(),
        Json.text(spec),
        Map.of(),
        Optional.empty());
  }

  @Override
  public void close() {
    closed = true;
    filling.lock();
    try {
      ready().forEach(homes::remove);
    } finally {
      filling.unlock();
    }
  }
}
