package husk.store;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Which sandboxes there are. Shared by processes in the same way as [Registry], which gives it.
public interface SandboxRegistry {

  /// Inserts a row; false when its name or its id is taken. Atomic across threads and processes.
  boolean insert(SandboxRow row);

  /// Finds by name or id.
  Optional<SandboxRow> find(String identifier);

  /// Every sandbox, the first created first.
  List<SandboxRow> list();

  /// Replaces the row of this id by `change` of its present value, in one transaction. Empty when
  /// there is no such row.
  Optional<SandboxRow> update(String id, UnaryOperator<SandboxRow> change);

  /// Gives a sandbox that waits, and its id is `readyId`, to whoever wants `wanted`: its row is
  /// from now on that of `wanted`. Empty when it no longer waits; a problem when the name is taken.
  Optional<SandboxRow> adopt(String readyId, SandboxRow wanted);

  /// False when there was none.
  boolean remove(String id);
}
