package husk.store;

import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The registry as tables of a SQLite database, shared by all processes that open the same file.
public final class SqliteRegistry implements Registry {
  private final Database database;

  SqliteRegistry(Database database) {
    this.database = database;
  }

  /// Opens the registry in `file`, made with its folder when missing and for its owner alone.
  public static SqliteRegistry open(Path file) {
    return open(file, Rescue.NONE);
  }

  /// The same; one that is damaged is set aside and made anew, now and in the middle of its use.
  public static SqliteRegistry open(Path file, Rescue rescue) {
    return new SqliteRegistry(RegistryFile.open(file.toAbsolutePath(), rescue));
  }

  /// A registry that is gone when it is closed.
  public static SqliteRegistry inMemory() {
    var database = Database.inMemory();
    Migrations.apply(database, () -> {});
    return new SqliteRegistry(database);
  }

  @Override
  public KernelRecord claim(KernelRecord candidate, String launchJson, int mostLiving) {
    return database.transaction(
        () -> {
          var holder = holder(candidate);
          if (holder.isPresent()) {
            return holder.get();
          }
          requireRoom(mostLiving);
          database.change(KernelRows.INSERT, KernelRows.values(candidate));
          database.change(KernelRows.INSERT_LAUNCH, candidate.kernelId(), launchJson);
          return candidate;
        });
  }

  private void requireRoom(int mostLiving) {
    if (mostLiving < Integer.MAX_VALUE
        && database.first(KernelRows.LIVING, row -> row.getInt(1)).orElse(0) >= mostLiving) {
      throw new Problem(
          Problem.Code.CAPACITY_EXHAUSTED,
          "there are " + mostLiving + " living kernels already, as many as are allowed",
          "destroy one that is no longer needed (`husk list` shows them)",
          "raise `max-kernels` (HUSK_MAX_KERNELS)");
    }
  }

  /// Whose row answers to one of the candidate's names; they share one namespace with the ids.
  private Optional<KernelRecord> holder(KernelRecord candidate) {
    return Stream.of(candidate.name(), candidate.sessionName(), Optional.of(candidate.kernelId()))
        .flatMap(Optional::stream)
        .flatMap(identifier -> find(identifier).stream())
        .findFirst();
  }

  @Override
  public Optional<KernelRecord> find(String identifier) {
    return database.first(KernelRows.FIND, KernelRows::read, identifier);
  }

  @Override
  public List<KernelRecord> list() {
    return database.all(KernelRows.LIST, KernelRows::read);
  }

  @Override
  public Optional<KernelRecord> update(String kernelId, UnaryOperator<KernelRecord> change) {
    return database.transaction(
        () -> {
          var present = database.first(KernelRows.BY_ID, KernelRows::read, kernelId);
          if (present.isEmpty()) {
            return present;
          }
          var changed = change.apply(present.get());
          requireOwnNames(present.get(), changed);
          database.change(KernelRows.UPDATE, KernelRows.updateValues(changed));
          return Optional.of(changed);
        });
  }

  private void requireOwnNames(KernelRecord present, KernelRecord changed) {
    if (!changed.kernelId().equals(present.kernelId())) {
      throw new IllegalArgumentException("a kernel keeps its id");
    }
    Stream.concat(changed.name().stream(), changed.sessionName().stream())
        .filter(name -> !present.answersTo(name))
        .filter(name -> find(name).isPresent())
        .findFirst()
        .ifPresent(
            name -> {
              throw new Problem(
                  Problem.Code.KERNEL_ALREADY_EXISTS,
                  "another kernel already answers to `" + name + "`",
                  "choose another name, or destroy that kernel first");
            });
  }

  @Override
  public Optional<KernelRecord> remove(String kernelId) {
    var known =
        database.withRoom(() -> removeWhole(kernelId), () -> removeWithLittleRoom(kernelId));
    database.removed();
    return known;
  }

  private Optional<KernelRecord> removeWhole(String kernelId) {
    return database.transaction(
        () -> {
          var known = database.first(KernelRows.BY_ID, KernelRows::read, kernelId);
          database.change("DELETE FROM kernels WHERE kernel_id = ?", kernelId);
          return known;
        });
  }

  /// First what may hold secrets; overwriting all results as well would need as much room as they
  /// have.
  private Optional<KernelRecord> removeWithLittleRoom(String kernelId) {
    database.change("DELETE FROM launches WHERE kernel_id = ?", kernelId);
    database.overwriteWhereItIsCheap();
    try {
      return removeWhole(kernelId);
    } finally {
      database.overwriteWhatIsRemoved();
    }
  }

  @Override
  public void cleanse() {
    database.cleanse();
  }

  @Override
  public void cleanseWhenQuiet() {
    database.cleanseWhenQuiet();
  }

  @Override
  public int addAttempt(String kernelId) {
    return database.transaction(
        () -> database.first(KernelRows.ADD_ATTEMPT, row -> row.getInt(1), kernelId).orElse(0));
  }

  @Override
  public void touch(String kernelId, Instant usedAt, KernelStatus status) {
    database.change(KernelRows.TOUCH, Times.toNanos(usedAt), status.wireName(), kernelId);
  }

  @Override
  public Optional<String> launch(String kernelId) {
    return database.first(
        "SELECT body FROM launches WHERE kernel_id = ?", row -> row.getString(1), kernelId);
  }

  @Override
  public void begin(ExecutionRow row) {
    int begun =
        database.change(
            ExecutionRows.BEGIN,
            row.executionId(),
            row.kernelId(),
            row.messageId(),
            Times.toNanos(row.startedAt()),
            row.requestJson());
    if (begun == 0) {
      throw execution(row.executionId()).isPresent()
          ? new Problem(
              Problem.Code.INVALID_REQUEST,
              "the execution id `" + row.executionId() + "` was used before",
              "choose a fresh id for every execution")
          : unknownKernel(row.kernelId());
    }
  }

  @Override
  public void finish(String executionId, String resultJson, Instant endedAt) {
    long nanos = Times.toNanos(endedAt);
    database.transaction(
        () ->
            database
                .first(
                    ExecutionRows.FINISH, row -> row.getString(1), executionId, nanos, resultJson)
                .map(kernelId -> database.change(ExecutionRows.PRUNE, kernelId)));
  }

  @Override
  public Optional<ExecutionRow> execution(String executionId) {
    return database.first(ExecutionRows.BY_ID, ExecutionRows::read, executionId);
  }

  @Override
  public List<ExecutionRow> running(String kernelId) {
    return database.all(ExecutionRows.RUNNING, ExecutionRows::read, kernelId);
  }

  @Override
  public List<ExecutionRow> executions(String kernelId, int limit) {
    return database.all(ExecutionRows.LATEST, ExecutionRows::read, kernelId, Math.max(0, limit));
  }

  @Override
  public SandboxRegistry sandboxes() {
    return new SqliteSandboxes(database);
  }

  @Override
  public void close() {
    database.close();
  }

  /// For tests that bring about what a disk does.
  Database database() {
    return database;
  }

  private static Problem unknownKernel(String kernelId) {
    return new Problem(
        Problem.Code.KERNEL_NOT_FOUND,
        "kernel `" + kernelId + "` is not in the registry: it was destroyed, or never made",
        "`husk list` shows the kernels there are");
  }
}
