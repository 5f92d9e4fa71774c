package husk.core;

import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.store.ExecutionRow;
import husk.store.Registry;
import husk.store.SandboxRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A registry whose kernels are noted in their own folders as well.
final class NotedRegistry implements Registry {
  private final Registry registry;
  private final KernelNotes notes;

  NotedRegistry(Registry registry, KernelNotes notes) {
    this.registry = registry;
    this.notes = notes;
  }

  @Override
  public KernelRecord claim(KernelRecord candidate, String launchJson, int mostLiving) {
    var winner = registry.claim(candidate, launchJson, mostLiving);
    if (winner.kernelId().equals(candidate.kernelId())) {
      notes.begin(winner, launchJson);
    }
    return winner;
  }

  /// Said while the row is held, so that the last note is of the last change.
  @Override
  public Optional<KernelRecord> update(String kernelId, UnaryOperator<KernelRecord> change) {
    return registry.update(
        kernelId,
        record -> {
          var changed = change.apply(record);
          if (!changed.equals(record)) {
            notes.write(changed);
          }
          return changed;
        });
  }

  @Override
  public Optional<KernelRecord> find(String identifier) {
    return registry.find(identifier);
  }

  @Override
  public List<KernelRecord> list() {
    return registry.list();
  }

  @Override
  public Optional<KernelRecord> remove(String kernelId) {
    return registry.remove(kernelId);
  }

  @Override
  public int addAttempt(String kernelId) {
    return registry.addAttempt(kernelId);
  }

  @Override
  public void touch(String kernelId, Instant usedAt, KernelStatus status) {
    registry.touch(kernelId, usedAt, status);
  }

  @Override
  public Optional<String> launch(String kernelId) {
    return registry.launch(kernelId);
  }

  @Override
  public void begin(ExecutionRow row) {
    registry.begin(row);
  }

  @Override
  public void finish(String executionId, String resultJson, Instant endedAt) {
    registry.finish(executionId, resultJson, endedAt);
  }

  @Override
  public Optional<ExecutionRow> execution(String executionId) {
    return registry.execution(executionId);
  }

  @Override
  public List<ExecutionRow> running(String kernelId) {
    return registry.running(kernelId);
  }

  @Override
  public List<ExecutionRow> executions(String kernelId, int limit) {
    return registry.executions(kernelId, limit);
  }

  @Override
  public void cleanse() {
    registry.cleanse();
  }

  @Override
  public void cleanseWhenQuiet() {
    registry.cleanseWhenQuiet();
  }

  @Override
  public SandboxRegistry sandboxes() {
    return registry.sandboxes();
  }

  @Override
  public void close() {
    registry.close();
  }
}
