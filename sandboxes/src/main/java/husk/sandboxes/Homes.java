package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxEvent;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/// From a row to a running sandbox and back.
final class Homes implements AutoCloseable {
  private static final Duration OTHERS_START = Duration.ofSeconds(30);
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");

  private final SandboxRegistry registry;
  private final Backends backends;
  private final SandboxPlaces places;
  private final SandboxNotes notes;
  private final Trash trash = new Trash();
  private final Map<String, LiveSandbox> live = new ConcurrentHashMap<>();
  private final Map<String, EventLog> logs = new ConcurrentHashMap<>();
  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  Homes(SandboxRegistry registry, Backends backends, SandboxPlaces places) {
    this.registry = registry;
    this.backends = backends;
    this.places = places;
    this.notes = new SandboxNotes(places);
  }

  /// Removes what an earlier process had taken away and not removed.
  void emptyTrash() {
    trash.recover(List.of(places.files(), places.sockets()));
  }

  /// Those that the registry has lost, while their notes are there, are in it again. One whose name
  /// another has by now is nobody's.
  void findAgain() {
    notes
        .all()
        .filter(row -> registry.find(row.id()).isEmpty())
        .forEach(
            row -> {
              if (!registry.insert(row)) {
                registry.insert(row.withoutName());
              }
              if (notes.find(row.id()).isEmpty()) {
                // It was removed at this moment.
                registry.remove(row.id());
              }
            });
  }

  SandboxPlace place(SandboxRow row) {
    return places.of(row.id());
  }

  /// What it is: as the registry says, or what was noted of it, if the registry makes no sense.
  SandboxSpec spec(SandboxRow row) {
    return understood(row)
        .or(() -> notes.find(row.id()).flatMap(Homes::understood))
        .orElseThrow(() -> senseless(row));
  }

  private static Optional<SandboxSpec> understood(SandboxRow row) {
    try {
      return Optional.of(Json.read(row.specJson(), SandboxSpec.class));
    } catch (RuntimeException senseless) {
      return Optional.empty();
    }
  }

  private static Problem senseless(SandboxRow row) {
    var name = row.name().orElse(row.id());
    return new Problem(
        Problem.Code.SANDBOX_FAILED,
        "what sandbox `" + name + "` is can no longer be read",
        "`husk sandbox remove " + name + "`, and make it anew");
  }

  /// Starts a sandbox that does not run, or waits for whoever is starting it.
  SandboxRow start(SandboxRow row) {
    var lock = lock(row);
    lock.lock();
    try {
      return startOrAwait(row);
    } finally {
      lock.unlock();
    }
  }

  /// Whoever else is starting it may die over that at any moment: then this process may start it.
  private SandboxRow startOrAwait(SandboxRow row) {
    long deadline = System.nanoTime() + OTHERS_START.toNanos();
    while (System.nanoTime() < deadline) {
      var former = claim(row);
      if (former.isPresent()) {
        former.filter(it -> it.status() == Status.STARTING).ifPresent(this::endHalfStarted);
        return startClaimed(row, Status.RUNNING);
      }
      var now = registry.find(row.id()).orElseThrow(() -> unknown(row));
      if (now.status() != Status.STARTING) {
        return now;
      }
      Pauses.milliseconds(5);
    }
    throw new Problem(
        Problem.Code.SANDBOX_FAILED,
        "sandbox `" + row.name().orElse(row.id()) + "` is still being started by another process",
        "try again, or `husk sandbox remove` it and make it anew");
  }

  /// What somebody began to start and did not live to see must not run beside the new.
  private void endHalfStarted(SandboxRow row) {
    Leftovers.end(places.of(row.id()), backends);
  }

  /// Takes the right to start it, and says what it was before; this process has it if the row names
  /// it.
  private Optional<SandboxRow> claim(SandboxRow row) {
    var won = new AtomicReference<Optional<SandboxRow>>(Optional.empty());
    var known =
        registry.update(
            row.id(),
            now -> {
              won.set(Optional.of(now).filter(Homes::mayStart));
              return won.get().isPresent()
                  ? now.withProcess(Status.STARTING, Self.PID, Self.START_TIME)
                  : now;
            });
    if (known.isEmpty()) {
      throw unknown(row);
    }
    return won.get();
  }

  private static boolean mayStart(SandboxRow row) {
    return switch (row.status()) {
      case CREATED, STOPPED -> true;
      case STARTING -> row.pid() == Self.PID || !starterLives(row);
      case READY, RUNNING -> false;
    };
  }

  private static boolean starterLives(SandboxRow row) {
    return row.startTime() != 0 && Self.startTime(row.pid()) == row.startTime();
  }

  private static Problem unknown(SandboxRow row) {
    return Sandboxes.unknown(row.name().orElse(row.id()));
  }

  /// Starts what this process may start.
  SandboxRow startClaimed(SandboxRow row, Status status) {
    return startClaimed(row, status, 0);
  }

  /// The same in a family, if one is named by its first process.
  SandboxRow startClaimed(SandboxRow row, Status status, long family) {
    try {
      makeFolders(places.of(row.id()));
      notes.write(row);
      return startPrepared(row, status, family);
    } catch (RuntimeException e) {
      registry.update(row.id(), now -> now.withProcess(Status.STOPPED, 0, 0));
      throw e;
    }
  }

  private SandboxRow startPrepared(SandboxRow row, Status status, long family) {
    var spec = Guarded.asOfNow(spec(row));
    var place = places.of(row.id());
    var prepared = LiveSandbox.prepare(spec, place, events(row));
    try {
      var backend = backends.of(spec.backend());
      var sandbox =
          family == 0 ? backend.start(spec, place) : backend.startBeside(spec, place, family);
      prepared.started(sandbox, spec);
      live.put(row.id(), prepared);
      var process = sandbox.process();
      var started =
          registry.update(
              row.id(), now -> now.withProcess(status, process.pid(), process.startTime()));
      if (started.isEmpty()) {
        end(row.id(), sandbox);
        throw unknown(row);
      }
      happened(row, "started", Map.of("pid", Long.toString(process.pid())));
      return started.get();
    } catch (RuntimeException e) {
      prepared.sandbox().ifPresent(Sandbox::end);
      prepared.close();
      live.remove(row.id());
      throw e;
    }
  }

  /// Starts a new one in the family of another.
  SandboxRow startBeside(SandboxRow row, long family) {
    var lock = lock(row);
    lock.lock();
    try {
      return startClaimed(row, Status.RUNNING, family);
    } finally {
      lock.unlock();
    }
  }

  private static void makeFolders(SandboxPlace place) {
    for (var folder :
        List.of(place.files(), place.workspace(), place.home(), place.sockets(), place.proxy())) {
      Trees.make(folder);
    }
  }

  /// What this process holds of a running sandbox; taken over if an earlier process started it.
  Optional<LiveSandbox> live(SandboxRow row) {
    if (holds(row)) {
      return Optional.ofNullable(live.get(row.id()));
    }
    return row.status() == Status.RUNNING ? adopt(row) : Optional.empty();
  }

  /// Whether this process started it, and it lives.
  boolean holds(SandboxRow row) {
    var known = live.get(row.id());
    return known != null && known.sandbox().filter(Sandbox::alive).isPresent();
  }

  /// Whether somebody has a sandbox of this family.
  boolean inhabited(long family) {
    var running =
        live.entrySet().stream()
            .filter(entry -> entry.getValue().isIn(family))
            .map(Map.Entry::getKey)
            .toList();
    return running.stream()
        .flatMap(id -> registry.find(id).stream())
        .anyMatch(row -> row.name().isPresent());
  }

  private Optional<LiveSandbox> adopt(SandboxRow seen) {
    var lock = lock(seen);
    lock.lock();
    try {
      var known = latest(seen);
      if (known.isEmpty() || holds(seen)) {
        return known.map(row -> live.get(row.id()));
      }
      var row = known.get();
      var spec = spec(row);
      var place = places.of(row.id());
      var found =
          backends
              .of(spec.backend())
              .find(spec, place, new SandboxProcess(row.pid(), row.startTime()));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      var adopted = LiveSandbox.adopt(spec, place, events(row), found.get());
      var former = live.put(row.id(), adopted);
      if (former != null) {
        former.close();
      }
      return Optional.of(adopted);
    } finally {
      lock.unlock();
    }
  }

  /// As it is known now. Whoever saw an earlier life of it must not look for that one: what is
  /// found of the dead is removed, and would be what this life needs.
  private Optional<SandboxRow> latest(SandboxRow seen) {
    return registry
        .find(seen.id())
        .flatMap(
            now ->
                now.pid() == seen.pid() && now.startTime() == seen.startTime()
                    ? Optional.of(seen)
                    : Optional.of(now).filter(it -> it.status() == Status.RUNNING));
  }

  boolean running(SandboxRow row) {
    return row.status() == Status.RUNNING && live(row).isPresent();
  }

  /// The same; of what makes no sense it is said that it does not.
  boolean runs(SandboxRow row) {
    return row.status() == Status.RUNNING && liveIfUnderstood(row).isPresent();
  }

  SandboxRow stop(SandboxRow row) {
    var lock = lock(row);
    lock.lock();
    try {
      live(row).flatMap(LiveSandbox::sandbox).ifPresent(sandbox -> end(row.id(), sandbox));
      letGo(row.id());
      return registry
          .update(row.id(), now -> now.status() == Status.CREATED ? now : stopped(now))
          .orElse(row);
    } finally {
      lock.unlock();
    }
  }

  private SandboxRow stopped(SandboxRow row) {
    if (row.status() != Status.STOPPED) {
      happened(row, "stopped", Map.of());
    }
    return row.withProcess(Status.STOPPED, 0, 0);
  }

  private void end(String id, Sandbox sandbox) {
    sandbox.end();
    var held = live.remove(id);
    if (held != null) {
      held.close();
    }
    trash.take(places.of(id).sockets());
  }

  /// One that ended by itself has left behind what held its limits, its way out and its sockets.
  private void letGo(String id) {
    var held = live.remove(id);
    if (held != null) {
      held.sandbox().filter(sandbox -> !sandbox.alive()).ifPresent(Sandbox::end);
      held.close();
    }
    trash.take(places.of(id).sockets());
  }

  void remove(SandboxRow row) {
    var lock = lock(row);
    lock.lock();
    try {
      endForGood(row);
      forget(row);
    } finally {
      lock.unlock();
      locks.remove(row.id());
    }
  }

  /// Whatever is known of it, and whatever of that makes sense.
  private void endForGood(SandboxRow row) {
    try {
      live(row).flatMap(LiveSandbox::sandbox).ifPresent(sandbox -> end(row.id(), sandbox));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "sandbox " + row.id() + " does not end in good order", e);
      Leftovers.end(places.of(row.id()), backends);
    }
  }

  /// Its row goes last: whatever is interrupted before can be found again.
  private void forget(SandboxRow row) {
    letGo(row.id());
    logs.remove(row.id());
    trash.take(places.of(row.id()).files());
    registry.remove(row.id());
  }

  /// Its first process has ended by itself, unless somebody has started it anew since.
  void ended(SandboxRow seen) {
    var lock = lock(seen);
    lock.lock();
    try {
      registry
          .find(seen.id())
          .filter(now -> now.status() == Status.RUNNING && now.pid() == seen.pid())
          .ifPresent(this::endedForSure);
    } finally {
      lock.unlock();
    }
  }

  /// Whoever was starting it died over that: what there is of it ends, and it can be started again.
  void forsaken(SandboxRow seen) {
    if (starterLives(seen)) {
      return;
    }
    var lock = lock(seen);
    lock.lock();
    try {
      registry
          .find(seen.id())
          .filter(now -> now.status() == Status.STARTING && !starterLives(now))
          .ifPresent(
              row -> {
                adopt(row);
                endedForSure(row);
              });
    } finally {
      lock.unlock();
    }
  }

  private void endedForSure(SandboxRow row) {
    if (understood(row).filter(spec -> spec.temporarySeconds() > 0).isPresent()) {
      remove(row);
      return;
    }
    letGo(row.id());
    happened(row, "ended", Map.of());
    registry.update(row.id(), now -> now.withProcess(Status.STOPPED, 0, 0));
  }

  /// Whether it was made for one command that never came.
  boolean abandoned(SandboxRow row) {
    // Asked of every sandbox several times a second: what is held is asked, not the row's text.
    var held = live.get(row.id());
    int seconds = held == null ? 0 : held.temporarySeconds(() -> spec(row));
    return seconds > 0
        && row.createdAt().plusSeconds(seconds).isBefore(Instant.now())
        && live(row).flatMap(LiveSandbox::sandbox).map(Homes::unused).orElse(false);
  }

  private static boolean unused(Sandbox sandbox) {
    try {
      return sandbox.commands().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /// Its events begin, unless it has been removed since.
  void created(SandboxRow row, Map<String, String> details) {
    var lock = lock(row);
    lock.lock();
    try {
      if (registry.find(row.id()).isPresent()) {
        Trees.make(places.of(row.id()).files());
        notes.write(row);
        happened(row, "created", details);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Of one that has been removed meanwhile nothing is kept, here or on disk.
  EventLog events(SandboxRow row) {
    var files = places.of(row.id()).files();
    return Files.isDirectory(files)
        ? logs.computeIfAbsent(row.id(), _ -> new EventLog(files.resolve("events.jsonl")))
        : new EventLog(files.resolve("events.jsonl"));
  }

  void happened(SandboxRow row, String type, Map<String, String> details) {
    events(row).add(SandboxEvent.now(type, details));
  }

  /// Also of one that can only be removed any more.
  private SandboxSpec shownSpec(SandboxRow row) {
    try {
      return spec(row);
    } catch (Problem senseless) {
      return SandboxSpec.of("unknown", Profile.RESTRICTIVE);
    }
  }

  private Optional<LiveSandbox> liveIfUnderstood(SandboxRow row) {
    try {
      return live(row);
    } catch (Problem senseless) {
      return Optional.empty();
    }
  }

  SandboxInfo info(SandboxRow row) {
    var held = liveIfUnderstood(row);
    var status = row.status() == Status.RUNNING && held.isEmpty() ? Status.STOPPED : row.status();
    return new SandboxInfo(
        row.name().orElse(""),
        row.id(),
        status,
        shownSpec(row),
        row.createdAt(),
        row.lastUsedAt(),
        row.ttlSeconds(),
        row.expiresAt(),
        row.labels(),
        row.description(),
        status == Status.RUNNING ? row.pid() : 0,
        held.flatMap(LiveSandbox::sandbox)
            .map(sandbox -> sandbox.enforcement().by())
            .orElse(Map.of()),
        held.map(LiveSandbox::ports).orElse(List.of()),
        held.flatMap(LiveSandbox::sandbox).flatMap(Sandbox::agentSocket),
        places.of(row.id()).workspace());
  }

  private ReentrantLock lock(SandboxRow row) {
    return locks.computeIfAbsent(row.id(), _ -> new ReentrantLock());
  }

  @Override
  public void close() {
    live.values().forEach(LiveSandbox::close);
    live.clear();
    trash.close();
  }
}
