package husk.core;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import husk.kernels.Threads;
import husk.model.Forked;
import husk.model.Ids;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Names;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import husk.sandboxes.Sandboxes;
import husk.spi.Tenancy;
import husk.store.Registry;
import husk.wire.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Running copies of a living kernel under names of their own.
///
/// The original is kept from running code only until its memory and its files are copied; what the
/// copies need of their own is made meanwhile and afterwards.
final class Forks {
  static final int MOST_AT_ONCE = 100;

  private final Registry registry;
  private final Kernels kernels;
  private final Copies copies;
  private final KernelFiles files;
  private final Supplier<Sandboxes> sandboxes;
  private final Places places;

  Forks(
      Registry registry,
      Kernels kernels,
      Copies copies,
      KernelFiles files,
      Supplier<Sandboxes> sandboxes,
      Places places) {
    this.registry = registry;
    this.kernels = kernels;
    this.copies = copies;
    this.files = files;
    this.sandboxes = sandboxes;
    this.places = places;
  }

  /// A copy for each name; one without a name is found by its id.
  Forked fork(
      KernelRecord original, List<Optional<String>> names, boolean proceed, int mostLiving) {
    check(names);
    return fork(original, names, Optional.empty(), proceed, mostLiving);
  }

  /// Copies without names that this process uses and ends; if it cannot, they end with it.
  Forked forTrial(KernelRecord original, int count, boolean proceed, int mostLiving) {
    var names = Collections.nCopies(count, Optional.<String>empty());
    check(names);
    return fork(original, names, Optional.of(Self.PROCESS), proceed, mostLiving);
  }

  private Forked fork(
      KernelRecord original,
      List<Optional<String>> names,
      Optional<KernelProcess> tries,
      boolean proceed,
      int mostLiving) {
    var stored = kernels.launch(original.kernelId());
    LiveStateRule.require(original, stored);
    var claimed = claim(original, stored, names, tries, mostLiving);
    try (var aside = Executors.newVirtualThreadPerTaskExecutor()) {
      // What needs nothing of the original is made while its memory is copied.
      var moving =
          claimed.stream()
              .map(record -> new Moving(record, supplyAsync(() -> house(stored, record), aside)))
              .toList();
      var snapshot = freeze(original, stored, proceed);
      try {
        var started =
            moving.stream()
                .map(one -> supplyAsync(() -> start(stored, one, snapshot.id()), aside))
                .toList();
        return new Forked(started.stream().map(Outcome::of).toList(), snapshot.hazards());
      } finally {
        Threads.start("husk-drop-snapshot", () -> drop(original.kernelId(), stored, snapshot.id()));
      }
    } catch (RuntimeException e) {
      claimed.forEach(record -> kernels.forget(record, places));
      throw e;
    }
  }

  private static void check(List<Optional<String>> names) {
    if (names.isEmpty() || names.size() > MOST_AT_ONCE) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "a kernel cannot be forked " + names.size() + " times at once",
          "ask for 1 to " + MOST_AT_ONCE);
    }
    names.forEach(name -> name.ifPresent(Names::require));
  }

  /// Memory and files of one moment: nothing that this daemon runs comes in between.
  private Copies.Snapshot freeze(KernelRecord original, StoredLaunch stored, boolean proceed) {
    var turn = kernels.live(original.kernelId()).turn;
    turn.lock();
    try {
      var snapshot = copies.take(original, proceed);
      try {
        files.keep(stored, snapshot.id());
        return snapshot;
      } catch (RuntimeException e) {
        drop(original.kernelId(), stored, snapshot.id());
        throw e;
      }
    } finally {
      turn.unlock();
    }
  }

  private void drop(String kernelId, StoredLaunch stored, String snapshotId) {
    try {
      copies.drop(kernelId, snapshotId);
      files.drop(stored, snapshotId);
    } catch (RuntimeException gone) {
      // with its kernel
    }
  }

  private List<KernelRecord> claim(
      KernelRecord original,
      StoredLaunch stored,
      List<Optional<String>> names,
      Optional<KernelProcess> tries,
      int mostLiving) {
    var claimed = new ArrayList<KernelRecord>();
    try {
      for (var name : names) {
        var launch = stored.forkedAs(Ids.fresh(), places, tries);
        claimed.add(claimOne(original, launch, name, mostLiving));
      }
      return claimed;
    } catch (RuntimeException e) {
      claimed.forEach(record -> kernels.forget(record, places));
      throw e;
    }
  }

  private KernelRecord claimOne(
      KernelRecord original, StoredLaunch launch, Optional<String> name, int mostLiving) {
    var candidate = copyOf(original, launch, name);
    var winner = registry.claim(candidate, Json.text(launch), mostLiving);
    if (!winner.kernelId().equals(candidate.kernelId())) {
      throw new Problem(
          Problem.Code.KERNEL_ALREADY_EXISTS,
          "Kernel name already exists: " + name.orElse(winner.kernelId()),
          "choose another, or `husk destroy` it first");
    }
    return winner;
  }

  private static KernelRecord copyOf(
      KernelRecord original, StoredLaunch launch, Optional<String> name) {
    var now = Instant.now();
    return new KernelRecord(
        launch.launch().kernelId(),
        launch.launch().connectionFile(),
        name,
        now,
        now,
        KernelStatus.STARTING,
        name,
        0,
        original.tags(),
        Optional.of(Self.PROCESS),
        original.backend(),
        original.kernel(),
        original.python(),
        original.cwd(),
        original.environment(),
        Optional.empty(),
        original.idleTimeout(),
        Optional.empty(),
        Optional.empty());
  }

  /// A copy on its way, and the sandbox it will live in; none where the original has none.
  private record Moving(KernelRecord record, CompletableFuture<Optional<Tenancy>> home) {}

  /// A sandbox as the original's, beside it; or the very same, if it is shared.
  private Optional<Tenancy> house(StoredLaunch from, KernelRecord record) {
    return kernels
        .launch(record.kernelId())
        .home()
        .map(
            home -> {
              if (home.own()) {
                sandboxes
                    .get()
                    .createBeside(
                        from.home().orElseThrow().sandbox(),
                        SandboxRequest.named(home.sandbox())
                            .forKernel(home.profile(), record.kernelId()));
              }
              return sandboxes.get().use(home.sandbox()).tenancy().orElseThrow();
            });
  }

  private KernelRecord start(StoredLaunch from, Moving copy, String snapshotId) {
    var stored = kernels.launch(copy.record().kernelId());
    var tenancy = Outcome.of(copy.home());
    var process =
        kernels.startCopy(
            stored, tenancy, snapshotId, true, () -> files.fill(from, snapshotId, stored));
    return registry
        .update(
            copy.record().kernelId(), now -> now.started(process, Optional.empty(), Instant.now()))
        .orElseThrow(() -> Lifecycle.unknown(copy.record().kernelId()));
  }
}
