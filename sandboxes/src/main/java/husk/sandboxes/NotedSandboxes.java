package husk.sandboxes;

import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The registry's sandboxes, whose changes are noted beside their files as well.
final class NotedSandboxes implements SandboxRegistry {
  private final SandboxRegistry registry;
  private final SandboxNotes notes;

  NotedSandboxes(SandboxRegistry registry, SandboxNotes notes) {
    this.registry = registry;
    this.notes = notes;
  }

  @Override
  public boolean insert(SandboxRow row) {
    return registry.insert(row);
  }

  @Override
  public Optional<SandboxRow> find(String identifier) {
    return registry.find(identifier);
  }

  @Override
  public List<SandboxRow> list() {
    return registry.list();
  }

  /// Said while the row is held, so that the last note is of the last change.
  @Override
  public Optional<SandboxRow> update(String id, UnaryOperator<SandboxRow> change) {
    return registry.update(
        id,
        row -> {
          var changed = change.apply(row);
          // That it was used is said many times, and nothing needs to be found again for it.
          if (!changed.usedAt(row.lastUsedAt()).equals(row)) {
            notes.write(changed);
          }
          return changed;
        });
  }

  @Override
  public Optional<SandboxRow> adopt(String readyId, SandboxRow wanted) {
    var taken = registry.adopt(readyId, wanted);
    taken.ifPresent(notes::write);
    return taken;
  }

  @Override
  public boolean remove(String id) {
    return registry.remove(id);
  }
}
