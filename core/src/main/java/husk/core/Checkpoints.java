package husk.core;

import husk.kernels.ProcFs;
import husk.kernels.Signals;
import husk.kernels.Threads;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.Names;
import husk.model.Problem;
import husk.spi.Tenancy;
import husk.store.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Takes kernels back to earlier states of theirs, files included.
///
/// A kernel that is taken back keeps its name, its connection file and its sockets' places; its
/// process is another. The checkpoint stays, so that it can be gone back to again.
final class Checkpoints implements Tentative.Transactions {
  /// Bytes for whose sake a checkpoint is given up where memory is scarce.
  private static final long WORTHWHILE = 16L << 20;

  private final Succession succession;
  private final Kernels kernels;
  private final Copies copies;
  private final KernelFiles files;

  Checkpoints(Registry registry, Kernels kernels, Copies copies, KernelFiles files) {
    this.succession = new Succession(registry, kernels);
    this.kernels = kernels;
    this.copies = copies;
    this.files = files;
  }

  /// @param budget bytes that the checkpoints of one kernel may hold; 0 for any
  CheckpointTaken take(KernelRecord record, Optional<String> label, boolean proceed, long budget) {
    label.ifPresent(given -> requireFree(record, given));
    var turn = kernels.live(record.kernelId()).turn;
    turn.lock();
    try {
      // Another may have taken the label while this one waited.
      label.ifPresent(given -> requireFree(record, given));
      var taken = takeInTurn(record, label, proceed);
      return new CheckpointTaken(taken.checkpoint(), taken.hazards(), evict(record, budget));
    } finally {
      turn.unlock();
    }
  }

  /// The same for whoever has the kernel's turn and drops it soon: nothing else goes for it.
  CheckpointTaken takeInTurn(KernelRecord record, Optional<String> label, boolean proceed) {
    var stored = kernels.launch(record.kernelId());
    var snapshot = copies.take(record, proceed);
    try {
      boolean withFiles = files.keep(stored, snapshot.id());
      var made = new Checkpoint(snapshot.id(), label, Instant.now(), snapshot.process(), withFiles);
      list(record).add(made);
      return new CheckpointTaken(made, snapshot.hazards(), List.of());
    } catch (RuntimeException e) {
      copies.drop(record.kernelId(), snapshot.id());
      files.drop(stored, snapshot.id());
      throw e;
    }
  }

  private void requireFree(KernelRecord record, String label) {
    Names.requireLabel(label);
    if (label.equals(Previews.LABEL)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + label + "` is what the state before a preview is called",
          "choose another label");
    }
    if (list(record).alive().stream().anyMatch(one -> one.is(label))) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "kernel `" + Copies.shown(record) + "` has a checkpoint `" + label + "` already",
          "choose another label, or drop that one");
    }
  }

  /// The oldest go first; the newest stays, whatever it holds, and so does what a preview may have
  /// to go back to.
  private List<Checkpoint> evict(KernelRecord record, long budget) {
    var evicted = new ArrayList<Checkpoint>();
    var left = new ArrayList<>(list(record).alive());
    left.removeIf(one -> one.is(Previews.LABEL));
    while (left.size() > 1 && tooMuch(record, left, budget)) {
      var oldest = left.removeFirst();
      drop(record, oldest);
      awaitEnd(oldest);
      evicted.add(oldest);
    }
    return evicted;
  }

  /// They live in their kernel's sandbox, and must leave it memory to go on with.
  private boolean tooMuch(KernelRecord record, List<Checkpoint> left, long budget) {
    var kernel = kernels.live(record.kernelId());
    return (budget > 0 && memory(left) > budget)
        || (kernel.shortOfMemory() && withoutKernel(kernel.pid, left) > WORTHWHILE);
  }

  /// What would be free without them: what they share with the kernel would not.
  private static long withoutKernel(long pid, List<Checkpoint> checkpoints) {
    return memory(checkpoints)
        + ProcFs.proportionalMemory(pid).orElse(0L)
        - ProcFs.memory(pid).orElse(0L);
  }

  /// Its memory is free once its process is gone.
  private static void awaitEnd(Checkpoint dropped) {
    long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    while (ProcFs.alive(dropped.process()) && System.nanoTime() < deadline) {
      Threads.sleep(1);
    }
  }

  /// Their share of memory: what several have in common counts for each in part.
  static long memory(List<Checkpoint> checkpoints) {
    return checkpoints.stream()
        .mapToLong(one -> ProcFs.proportionalMemory(one.process().pid()).orElse(0L))
        .sum();
  }

  List<Checkpoint> all(KernelRecord record) {
    return list(record).alive();
  }

  private CheckpointList list(KernelRecord record) {
    return new CheckpointList(kernels.directory(record.kernelId()));
  }

  Checkpoint require(KernelRecord record, Optional<String> identifier) {
    var all = list(record).alive();
    return identifier
        .map(wanted -> all.stream().filter(one -> one.is(wanted)).findFirst())
        .orElseGet(() -> all.isEmpty() ? Optional.empty() : Optional.of(all.getLast()))
        .orElseThrow(() -> unknown(record, identifier));
  }

  private static Problem unknown(KernelRecord record, Optional<String> identifier) {
    return new Problem(
        Problem.Code.CHECKPOINT_NOT_FOUND,
        "kernel `"
            + Copies.shown(record)
            + "` has no checkpoint"
            + identifier.map(one -> " `" + one + "`").orElse(""),
        "`husk checkpoints " + Copies.shown(record) + "` shows those it has",
        "`husk checkpoint " + Copies.shown(record) + "` takes one");
  }

  Optional<Checkpoint> latest(KernelRecord record) {
    var all = list(record).alive();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /// Not while the kernel is being taken back to it.
  void drop(KernelRecord record, Checkpoint checkpoint) {
    var lifecycle = kernels.live(record.kernelId()).lifecycle;
    lifecycle.lock();
    try {
      list(record).remove(checkpoint);
      copies.drop(record.kernelId(), checkpoint.id());
      files.drop(kernels.launch(record.kernelId()), checkpoint.id());
    } finally {
      lifecycle.unlock();
    }
  }

  /// For a kernel that ends, whatever is still known of it.
  void dropAll(KernelRecord record) {
    for (var one : list(record).alive()) {
      if (!Steps.take("drop checkpoint " + one.id(), () -> drop(record, one))) {
        Signals.send(one.process().pid(), Signals.KILL);
      }
    }
  }

  @Override
  public Tentative.Transaction begin(KernelRecord record) {
    var before = takeInTurn(record, Optional.empty(), false).checkpoint();
    return new Tentative.Transaction() {
      @Override
      public void takeBack(KernelRecord now) {
        rollback(now, before);
      }

      @Override
      public void close() {
        // If this process is stopping, the code runs on, and whoever comes next needs it.
        if (!kernels.closing()) {
          drop(record, before);
        }
      }
    };
  }

  /// Takes a kernel, alive or dead, back; what it does now is ended.
  KernelRecord rollback(KernelRecord record, Checkpoint to) {
    var kernel = kernels.live(record.kernelId());
    kernel.lifecycle.lock();
    try {
      // Before anything is ended: it may have been dropped while this one waited.
      var kept = require(record, Optional.of(to.id()));
      return succession.replace(record, () -> processFrom(record, kept));
    } finally {
      kernel.lifecycle.unlock();
    }
  }

  /// Starts a kernel, whose row names this process as its starter, from a checkpoint.
  KernelRecord startFrom(KernelRecord record, Checkpoint from) {
    return succession.started(record, processFrom(record, from));
  }

  private KernelProcess processFrom(KernelRecord record, Checkpoint from) {
    var stored = kernels.launch(record.kernelId());
    Optional<Tenancy> tenancy =
        stored
            .home()
            .map(
                home ->
                    kernels
                        .homes()
                        .enter(record.kernelId(), home, stored.interpreter(), List.of()));
    Runnable putFilesBack = from.files() ? () -> files.restore(stored, from.id()) : () -> {};
    return kernels.startCopy(stored, tenancy, from.id(), false, putFilesBack);
  }
}
