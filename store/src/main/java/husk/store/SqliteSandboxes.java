package husk.store;

import husk.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The sandboxes' table of a SQLite registry.
final class SqliteSandboxes implements SandboxRegistry {
  private final Database database;

  SqliteSandboxes(Database database) {
    this.database = database;
  }

  @Override
  public boolean insert(SandboxRow row) {
    return database.change(SandboxRows.INSERT, SandboxRows.values(row)) > 0;
  }

  @Override
  public Optional<SandboxRow> find(String identifier) {
    return database.first(SandboxRows.FIND, SandboxRows::read, identifier);
  }

  @Override
  public List<SandboxRow> list() {
    return database.all(SandboxRows.LIST, SandboxRows::read);
  }

  @Override
  public Optional<SandboxRow> update(String id, UnaryOperator<SandboxRow> change) {
    return database.transaction(
        () -> {
          var present = database.first(SandboxRows.BY_ID, SandboxRows::read, id);
          return present.map(
              row -> {
                var changed = change.apply(row);
                database.change(SandboxRows.UPDATE, SandboxRows.updateValues(changed));
                return changed;
              });
        });
  }

  @Override
  public Optional<SandboxRow> adopt(String readyId, SandboxRow wanted) {
    return database.transaction(
        () -> {
          wanted.name().flatMap(this::find).ifPresent(SqliteSandboxes::refuse);
          return database
              .first(SandboxRows.BY_ID, SandboxRows::read, readyId)
              .filter(row -> row.status() == SandboxRow.Status.READY)
              .map(
                  row -> {
                    var taken = row.takenAs(wanted);
                    database.change(SandboxRows.UPDATE, SandboxRows.updateValues(taken));
                    return taken;
                  });
        });
  }

  private static void refuse(SandboxRow holder) {
    var name = holder.name().orElse(holder.id());
    throw new Problem(
        Problem.Code.SANDBOX_ALREADY_EXISTS,
        "Sandbox '" + name + "' exists already",
        "use it with `husk exec " + name + " -- …`, or `husk sandbox remove " + name + "` first");
  }

  @Override
  public boolean remove(String id) {
    var removing = "DELETE FROM sandboxes WHERE id = ?";
    int removed =
        database.withRoom(() -> database.change(removing, id), () -> database.change(removing, id));
    database.removed();
    return removed > 0;
  }
}
