package husk.core;

import husk.model.Checkpoint;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.Rollback;
import husk.sandboxes.EgressWatch;
import husk.sandboxes.Sandboxes;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Executions whose effects are told, and then kept or discarded.
///
/// The state before one is a checkpoint by the label [#LABEL]; while there is one, the decision is
/// open. So it outlives this process, and goes with the kernel.
final class Previews implements Tentative.Previews {
  static final String LABEL = "preview";

  private final Kernels kernels;
  private final Checkpoints checkpoints;
  private final Diffs diffs;
  private final FileDiffs files;
  private final Supplier<Sandboxes> sandboxes;

  /// The kernels in which one runs.
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  Previews(
      Kernels kernels,
      Checkpoints checkpoints,
      Diffs diffs,
      FileDiffs files,
      Supplier<Sandboxes> sandboxes) {
    this.kernels = kernels;
    this.checkpoints = checkpoints;
    this.diffs = diffs;
    this.files = files;
    this.sandboxes = sandboxes;
  }

  /// Whatever can be refused is refused here, before anything runs.
  @Override
  public Tentative.Preview begin(KernelRecord record, ExecuteRequest request) {
    requireOnce(request);
    requireNoneOpen(record);
    var before = checkpoints.takeInTurn(record, Optional.of(LABEL), false).checkpoint();
    running.add(record.kernelId());
    try {
      var stored = kernels.launch(record.kernelId());
      var look = Look.at(kernels.client(record), Look.Watch.BEGIN);
      return new Preview(this, record, before, stored, look, watch(stored));
    } catch (RuntimeException e) {
      over(record);
      checkpoints.drop(record, before);
      throw e;
    }
  }

  /// What can still be found out of one that another process began; nobody has seen which hosts it
  /// wanted to reach.
  ExecutionResult resumed(KernelRecord record, Rollback rollback, ExecutionResult ended) {
    var before = open(record);
    if (before.isEmpty()) {
      return ended;
    }
    var then = diffs.glimpse(record, before.get());
    var unsure = new Look(then.variables(), then.processes(), true);
    var stored = kernels.launch(record.kernelId());
    var none = Optional.<EgressWatch>empty();
    try (var preview = new Preview(this, record, before.get(), stored, unsure, none)) {
      return Tentative.concluded(preview, record, rollback, ended);
    }
  }

  private static void requireOnce(ExecuteRequest request) {
    if (request.attempt()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "a preview leaves a decision open, and cannot be tried again before it is made",
          "leave out `preview`, or the retry");
    }
  }

  private void requireNoneOpen(KernelRecord record) {
    if (open(record).isPresent()) {
      var name = Copies.shown(record);
      throw new Problem(
          Problem.Code.PREVIEW_OPEN,
          "kernel `" + name + "` has a preview that is neither kept nor discarded",
          "keep what it did: `husk keep " + name + "`",
          "or take it back: `husk discard " + name + "`");
    }
  }

  private Optional<Checkpoint> open(KernelRecord record) {
    return checkpoints.all(record).stream().filter(one -> one.is(LABEL)).findFirst();
  }

  private Optional<EgressWatch> watch(StoredLaunch stored) {
    return stored.home().flatMap(home -> sandboxes.get().watchEgress(home.sandbox()));
  }

  /// What the open preview did stays.
  void keep(KernelRecord record) {
    checkpoints.drop(record, require(record));
  }

  /// The kernel is what it was before the open preview; what it runs is ended.
  void discard(KernelRecord record) {
    var before = require(record);
    checkpoints.rollback(record, before);
    checkpoints.drop(record, before);
  }

  private Checkpoint require(KernelRecord record) {
    var name = Copies.shown(record);
    if (running.contains(record.kernelId())) {
      throw new Problem(
          Problem.Code.PREVIEW_OPEN,
          "the preview in kernel `" + name + "` still runs",
          "wait for its effects, or end it: `husk interrupt --name " + name + "`");
    }
    return open(record)
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.CHECKPOINT_NOT_FOUND,
                    "kernel `" + name + "` has no preview to decide on",
                    "`husk exec --name " + name + " --preview …` begins one"));
  }

  FileDiffs files() {
    return files;
  }

  Kernels kernels() {
    return kernels;
  }

  Checkpoints checkpoints() {
    return checkpoints;
  }

  void over(KernelRecord record) {
    running.remove(record.kernelId());
  }
}
