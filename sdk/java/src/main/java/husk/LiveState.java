package husk;

import husk.model.Against;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.ForkRequest;
import husk.model.Forked;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.Rollback;
import husk.model.StateDiff;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Copies of running kernels, and ways back to what they were.
///
/// {@snippet class="husk.examples.FiveFixes" region="best"}
///
/// Only Husk's own Python kernel can be copied. What a copy would lack (threads, running tasks,
/// connections, child processes) is found beforehand: the call is then a [Problem] that names them
/// ([Problem#hazards]), unless the request says to proceed.
///
/// Each method takes a kernel's name or id; those with a [KernelRecord] mean that very kernel.
public interface LiveState {

  // Forks

  /// A running copy under a name of its own: with all variables, imports and files, and none of
  /// what happens to the original later.
  default KernelRecord fork(String nameOrId, String as) {
    return fork(nameOrId, ForkRequest.named(as)).kernels().getFirst();
  }

  default KernelRecord fork(KernelRecord kernel, String as) {
    return fork(kernel.kernelId(), as);
  }

  /// Copies of one moment, as many as the request has names.
  Forked fork(String nameOrId, ForkRequest request);

  default Forked fork(KernelRecord kernel, ForkRequest request) {
    return fork(kernel.kernelId(), request);
  }

  /// The id of the kernel that a fork came from; empty for one that is no fork.
  Optional<String> forkedFrom(String nameOrId);

  default Optional<String> forkedFrom(KernelRecord kernel) {
    return forkedFrom(kernel.kernelId());
  }

  /// Gives a kernel the variables and files of one of its forks. It keeps its name, id and
  /// connection file; the fork lives on.
  KernelRecord promote(String nameOrId, String fork);

  default KernelRecord promote(KernelRecord kernel, KernelRecord fork) {
    return promote(kernel.kernelId(), fork.kernelId());
  }

  // Checkpoints

  /// Keeps a kernel's variables and files as they are now.
  default Checkpoint checkpoint(String nameOrId) {
    return checkpoint(nameOrId, Optional.empty(), false).checkpoint();
  }

  default Checkpoint checkpoint(KernelRecord kernel) {
    return checkpoint(kernel.kernelId());
  }

  default Checkpoint checkpoint(String nameOrId, String label) {
    return checkpoint(nameOrId, Optional.of(label), false).checkpoint();
  }

  default Checkpoint checkpoint(KernelRecord kernel, String label) {
    return checkpoint(kernel.kernelId(), label);
  }

  /// Keeps a kernel's variables and files as they are now.
  ///
  /// @param proceed whether to go on when the checkpoint would lack something of the kernel
  CheckpointTaken checkpoint(String nameOrId, Optional<String> label, boolean proceed);

  /// The oldest first.
  List<Checkpoint> checkpoints(String nameOrId);

  default List<Checkpoint> checkpoints(KernelRecord kernel) {
    return checkpoints(kernel.kernelId());
  }

  /// Takes a kernel, alive or dead, back to its latest checkpoint. What it runs is ended.
  ///
  /// @return the checkpoint it was taken back to, which stays
  default Checkpoint rollback(String nameOrId) {
    return rollback(nameOrId, Optional.empty());
  }

  default Checkpoint rollback(KernelRecord kernel) {
    return rollback(kernel.kernelId());
  }

  /// Takes a kernel back to the checkpoint of this label or id.
  default Checkpoint rollback(String nameOrId, String to) {
    return rollback(nameOrId, Optional.of(to));
  }

  default Checkpoint rollback(KernelRecord kernel, Checkpoint to) {
    return rollback(kernel.kernelId(), to.id());
  }

  Checkpoint rollback(String nameOrId, Optional<String> to);

  /// Lets go of a checkpoint, given by its label or id, and of the memory it holds.
  void dropCheckpoint(String nameOrId, String checkpoint);

  default void dropCheckpoint(KernelRecord kernel, Checkpoint checkpoint) {
    dropCheckpoint(kernel.kernelId(), checkpoint.id());
  }

  /// Does `work`; should it throw, the kernel is taken back to what it was before, and the
  /// exception passed on.
  default <T> T transaction(String nameOrId, Supplier<T> work) {
    return Transaction.run(this, nameOrId, work);
  }

  default <T> T transaction(KernelRecord kernel, Supplier<T> work) {
    return transaction(kernel.kernelId(), work);
  }

  // Differences

  /// How a kernel differs from what it was at its latest checkpoint: variables and files.
  default StateDiff diff(String nameOrId) {
    return diff(nameOrId, Against.LATEST);
  }

  default StateDiff diff(KernelRecord kernel) {
    return diff(kernel.kernelId());
  }

  default StateDiff diff(KernelRecord kernel, Checkpoint since) {
    return diff(kernel.kernelId(), Against.checkpoint(since.id()));
  }

  /// How a kernel differs from another, a fork of it perhaps: what only `kernel` has is added.
  default StateDiff diff(KernelRecord kernel, KernelRecord other) {
    return diff(kernel.kernelId(), Against.kernel(other.kernelId()));
  }

  /// How a kernel differs from a checkpoint of its own, or from another kernel.
  StateDiff diff(String nameOrId, Against against);

  // Previews

  /// Runs code and tells what it did: [ExecutionResult#effects]. It is then open whether that
  /// stays, until [#keep] or [#discard].
  default ExecutionResult preview(String nameOrId, String code) {
    return execute(nameOrId, ExecuteRequest.of(code).previewing());
  }

  default ExecutionResult preview(KernelRecord kernel, String code) {
    return execute(kernel, ExecuteRequest.of(code).previewing());
  }

  /// Lets what a preview did stay.
  KernelRecord keep(String nameOrId);

  default KernelRecord keep(KernelRecord kernel) {
    return keep(kernel.kernelId());
  }

  /// Takes a kernel back to what it was before its preview.
  KernelRecord discard(String nameOrId);

  default KernelRecord discard(KernelRecord kernel) {
    return discard(kernel.kernelId());
  }

  // Executions

  ExecutionResult execute(String nameOrId, ExecuteRequest request);

  ExecutionResult execute(KernelRecord kernel, ExecuteRequest request);

  /// Runs code whose effects on variables and files may be taken back; [ExecutionResult#rolledBack]
  /// says whether they were.
  default ExecutionResult execute(String nameOrId, String code, Rollback rollback) {
    return execute(nameOrId, ExecuteRequest.of(code).rollingBack(rollback));
  }

  default ExecutionResult execute(KernelRecord kernel, String code, Rollback rollback) {
    return execute(kernel, ExecuteRequest.of(code).rollingBack(rollback));
  }

  ExecutionResult executeWithRetry(String nameOrId, ExecuteRequest request, OnError onError);

  ExecutionResult executeWithRetry(KernelRecord kernel, ExecuteRequest request, OnError onError);

  /// Runs code until it succeeds; with [Rollback#ON_ERROR] every attempt begins where the first
  /// did.
  default ExecutionResult executeWithRetry(
      String nameOrId, String code, OnError onError, Rollback rollback) {
    return executeWithRetry(nameOrId, ExecuteRequest.of(code).rollingBack(rollback), onError);
  }

  default ExecutionResult executeWithRetry(
      KernelRecord kernel, String code, OnError onError, Rollback rollback) {
    return executeWithRetry(kernel, ExecuteRequest.of(code).rollingBack(rollback), onError);
  }

  /// Tries several pieces of code from a kernel's present state, each in a fork of its own, all at
  /// once; the best takes the kernel's place. None that succeeds leaves the kernel as it was.
  BestOf bestOf(String nameOrId, BestOfRequest request);

  default BestOf bestOf(KernelRecord kernel, BestOfRequest request) {
    return bestOf(kernel.kernelId(), request);
  }

  /// The same, the first piece that succeeds being the best.
  default BestOf bestOf(String nameOrId, List<String> codes) {
    return bestOf(nameOrId, BestOfRequest.of(codes));
  }

  default BestOf bestOf(KernelRecord kernel, List<String> codes) {
    return bestOf(kernel.kernelId(), codes);
  }

  /// The same, with scores that are given here.
  ///
  /// @param request whose own score is not asked for
  BestOf bestOf(String nameOrId, BestOfRequest request, Score score);

  default BestOf bestOf(KernelRecord kernel, BestOfRequest request, Score score) {
    return bestOf(kernel.kernelId(), request, score);
  }

  default BestOf bestOf(String nameOrId, List<String> codes, Score score) {
    return bestOf(nameOrId, BestOfRequest.of(codes), score);
  }

  default BestOf bestOf(KernelRecord kernel, List<String> codes, Score score) {
    return bestOf(kernel.kernelId(), codes, score);
  }
}
