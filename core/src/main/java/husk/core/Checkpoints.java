package husk.core;

import husk.kernels.ProcFs;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.spi.Tenancy;
import husk.store.Registry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Takes kernels back to earlier states of theirs, files included.
///
/// A kernel that is taken back keeps its name, its connection file and its sockets' places; its
/// process is another. The checkpoint stays, so that it can be gone back to again.
final class Checkpoints implements Tentative.Transactions {
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
      return takeInTurn(record, label, proceed, budget);
    } finally {
      turn.unlock();
    }
  }

  /// The same for whoever has the kernel's turn.
  CheckpointTaken takeInTurn(
      KernelRecord record, Optional<String> label, boolean proceed, long budget) {
    var stored = kernels.launch(record.kernelId());
    var snapshot = copies.take(record, proceed);
    try {
      boolean withFiles = files.keep(stored, snapshot.id());
      var made = new Checkpoint(snapshot.id(), label, Instant.now(), snapshot.process(), withFiles);
      list(record).add(made);
      return new CheckpointTaken(made, snapshot.hazards(), evict(record, budget));
    } catch (RuntimeException e) {
      copies.drop(record.kernelId(), snapshot.id());
      files.drop(stored, snapshot.id());
      throw e;
    }
  }

  private void requireFree(KernelRecord record, String label) {
    if (label.isBlank() || label.length() > 200) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + label + "` cannot be the label of a checkpoint",
          "use 1 to 200 characters");
    }
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

  /// The oldest go first; the newest stays, whatever it holds.
  private List<Checkpoint> evict(KernelRecord record, long budget) {
    var evicted = new ArrayList<Checkpoint>();
    var left = new ArrayList<>(list(record).alive());
    while (budget > 0 && left.size() > 1 && memory(left) > budget) {
      var oldest = left.removeFirst();
      drop(record, oldest);
      evicted.add(oldest);
    }
    return evicted;
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
    return new CheckpointList(kernels.launch(record.kernelId()).launch().directory());
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

  void drop(KernelRecord record, Checkpoint checkpoint) {
    list(record).remove(checkpoint);
    copies.drop(record.kernelId(), checkpoint.id());
    files.drop(kernels.launch(record.kernelId()), checkpoint.id());
  }

  void dropAll(KernelRecord record) {
    list(record).alive().forEach(one -> drop(record, one));
  }

  @Override
  public Tentative.Transaction begin(KernelRecord record) {
    var before = takeInTurn(record, Optional.empty(), false, 0).checkpoint();
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
      return succession.replace(record, () -> processFrom(record, to));
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
