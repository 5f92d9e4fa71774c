package husk.sandboxes;

import husk.model.Ids;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.wire.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Sandboxes that are started before anybody asks: each is given away once and never comes back.
///
/// They are made by the same code from the same specification as any other, so that there is no
/// second kind of sandbox whose walls could differ.
final class Pool implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");

  private final SandboxRegistry registry;
  private final Homes homes;
  private final PoolSettings settings;
  private volatile boolean closed;
  // Whoever never asked for a sandbox is not to pay for ready ones.
  private volatile boolean wanted;

  Pool(SandboxRegistry registry, Homes homes, PoolSettings settings) {
    this.registry = registry;
    this.homes = homes;
    this.settings = settings;
  }

  /// A ready sandbox of just this specification, from now on the one of `candidate`.
  Optional<SandboxRow> take(SandboxRow candidate, SandboxSpec spec) {
    wanted = true;
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

  /// Fills it up, one at a time, and removes what has become too old.
  void maintain() {
    if (settings.size() == 0 || closed || !wanted) {
      return;
    }
    var oldest = Instant.now().minus(settings.age());
    var ready = ready();
    ready.stream().filter(row -> row.createdAt().isBefore(oldest)).forEach(homes::remove);
    if (ready.size() < settings.size()) {
      add();
    }
  }

  private void add() {
    var row = fresh();
    registry.insert(row);
    try {
      homes.startClaimed(row, Status.READY);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "cannot start a sandbox for the pool", e);
      homes.remove(row);
      closed = true;
    }
  }

  private static SandboxRow fresh() {
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
        Json.text(SandboxSpec.of("bubblewrap", Profile.MODERATE)),
        Map.of(),
        Optional.empty());
  }

  @Override
  public void close() {
    closed = true;
    ready().forEach(homes::remove);
  }
}
