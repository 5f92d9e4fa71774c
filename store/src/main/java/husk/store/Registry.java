package husk.store;

import husk.model.KernelRecord;
import husk.model.KernelStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Which kernels there are, what they run, and what is needed to start them again.
///
/// Every answer is read from the table at the moment of asking, so that several processes can share
/// one registry; a record in a caller's hand is a copy that may be out of date. Whatever goes wrong
/// is a [husk.model.Problem].
public interface Registry extends AutoCloseable {

  /// Inserts `candidate`, and what is needed to start it again exactly as it was, unless a row
  /// already answers to its name, its session name or its id. Atomic across threads and processes;
  /// refused with [husk.model.Problem.Code#CAPACITY_EXHAUSTED] when it would insert a row and as
  /// many as `mostLiving` kernels are not dead.
  ///
  /// Gives the row now in the table: the candidate when it won, the other when it lost; compare
  /// their ids.
  ///
  /// @param launchJson apart from the record, because it may hold secrets; it never changes
  KernelRecord claim(KernelRecord candidate, String launchJson, int mostLiving);

  /// The same for one that is not to be started again, however many there are.
  default KernelRecord claim(KernelRecord candidate) {
    return claim(candidate, "", Integer.MAX_VALUE);
  }

  /// Finds by exact id, else by name, else by session name.
  Optional<KernelRecord> find(String identifier);

  /// Every kernel, the first created first.
  List<KernelRecord> list();

  /// Replaces the row of this id by `change` of its present value, in one transaction that keeps
  /// other writers out: `change` is to be quick, may not change the id and may not call the
  /// registry. Empty when there is no such row; a destroyed kernel is never inserted again.
  Optional<KernelRecord> update(String kernelId, UnaryOperator<KernelRecord> change);

  /// Forgets a kernel, its executions and its launch, also on a full disk. Gives what was known of
  /// it last; empty when there was none.
  Optional<KernelRecord> remove(String kernelId);

  /// Counts one more attempt and gives the new count; 0 when there is no such kernel.
  int addAttempt(String kernelId);

  /// Notes a use of a kernel and what it is doing now; nothing happens when there is no such
  /// kernel.
  void touch(String kernelId, Instant usedAt, KernelStatus status);

  /// What [#claim] kept; empty when it is lost.
  Optional<String> launch(String kernelId);

  /// Notes that an execution has begun. Refused when its kernel is unknown or its id was used
  /// before.
  void begin(ExecutionRow row);

  /// Keeps an execution's result, and of its kernel's finished executions the newest 50. The first
  /// result stands; nothing happens when there is no such execution.
  void finish(String executionId, String resultJson, Instant endedAt);

  /// One execution, running or finished.
  Optional<ExecutionRow> execution(String executionId);

  /// The unfinished executions of a kernel, the first begun first.
  List<ExecutionRow> running(String kernelId);

  /// The last `limit` executions of a kernel, the last begun first.
  List<ExecutionRow> executions(String kernelId, int limit);

  /// Sees to it that nothing of what was removed can be found in the files of the registry. Others
  /// may be reading; then it is left for the next time.
  void cleanse();

  /// The same, for those who ask every now and then: when nobody would have to wait for it, or when
  /// it has been put off for some seconds.
  void cleanseWhenQuiet();

  /// The sandboxes, in the same file.
  SandboxRegistry sandboxes();

  @Override
  void close();
}
