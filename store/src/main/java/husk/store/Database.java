package husk.store;

import husk.model.Problem;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/// One connection to SQLite, its prepared statements, and the lock that one caller at a time holds.
///
/// A statement runs in native code and so pins a virtual thread to its carrier. That is why there
/// is one lock and no thread of its own: statements take tens of microseconds, less than handing
/// them to another thread and back; those who wait for the lock are unmounted, so that never more
/// than one carrier is held, even while another process keeps the file locked.
final class Database implements AutoCloseable {

  /// How long to wait for other processes; they write for microseconds, unless they are stopped.
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /// How long to wait for others where it can be done another time.
  private static final Duration MOMENT = Duration.ofMillis(250);

  /// Without a change for this long, nobody is likely to be kept waiting.
  private static final Duration QUIET = Duration.ofMillis(400);

  private static final Duration LONGEST_UNCLEANSED = Duration.ofSeconds(10);

  /// Makes a value of the row a result set stands on.
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// Runs a statement whose values are set.
  @FunctionalInterface
  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  /// Something that fails as JDBC does.
  @FunctionalInterface
  private interface Call<T> {
    T run() throws SQLException;
  }

  private final String place;
  private final ReentrantLock lock = new ReentrantLock();
  // The rest is guarded by the lock.
  private Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private Optional<Runnable> mending = Optional.empty();
  private @Nullable Problem unmended;
  private boolean inTransaction;
  private boolean uncleansed = true;
  private long uncleansedNanos = System.nanoTime();
  private long changedNanos = System.nanoTime();
  private Optional<Reserve> reserve = Optional.empty();
  private boolean closed;

  private Database(String place, Connection connection) {
    this.place = place;
    this.connection = connection;
  }

  static Database inMemory() {
    try {
      return new Database("in memory", settings().createConnection("jdbc:sqlite::memory:"));
    } catch (SQLException e) {
      throw StoreProblems.of("in memory", e);
    }
  }

  /// Opens a file that exists; an empty one is an empty database. Nothing is read or changed yet.
  static Database open(Path file) {
    try {
      // As a URI, in which a path may hold any character.
      return new Database(
          file.toString(), settings().createConnection("jdbc:sqlite:" + file.toUri()));
    } catch (SQLException e) {
      throw StoreProblems.of(file.toString(), e);
    }
  }

  /// Makes SQLite write to a log beside the file, so that readers and one writer do not wait for
  /// each other. The log is synced when it is copied into the file, not at every commit: the death
  /// of a process loses nothing, a power cut at most the last writes, and with the power go the
  /// kernels they spoke of.
  void writeAhead() {
    locked(this::switchToLog);
    change("PRAGMA synchronous = NORMAL");
    // One large result is not to leave a large log behind.
    all("PRAGMA journal_size_limit = 16777216", row -> row.getLong(1));
  }

  /// While several processes open a new file at once, the switch can be refused without SQLite
  /// waiting for its turn.
  private List<String> switchToLog() throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return run("PRAGMA journal_mode = WAL", pragma -> read(pragma, row -> row.getString(1)));
      } catch (SQLException e) {
        if (!busy(e) || System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /// From now on this is the database that `other` was; what it was before is closed.
  ///
  /// The old one is closed first: SQLite removes the log of a file by its name, and that may be the
  /// name of the new one.
  void become(Supplier<Database> other) {
    lock.lock();
    try {
      prepared.clear();
      closeQuietly(connection);
      connection = other.get().connection;
      uncleansed = true;
    } finally {
      lock.unlock();
    }
  }

  private static void closeQuietly(Connection damaged) {
    try {
      damaged.close();
    } catch (SQLException e) {
      // what is damaged may not even be closed in good order
    }
  }

  /// What to do when the file turns out to be damaged while it is used; it has this [#become]
  /// another, or fails.
  void mendWith(Runnable work) {
    mending = Optional.of(work);
  }

  /// Has room kept on its disk for what must not fail.
  void keepRoom(Reserve kept) {
    reserve = Optional.of(kept);
    kept.take();
  }

  /// Does what must not fail for want of room.
  ///
  /// @param sparing the same in a way that needs little of it
  <T> T withRoom(Supplier<T> work, Supplier<T> sparing) {
    try {
      return work.get();
    } catch (Problem problem) {
      if (!StoreProblems.isLackOfRoom(problem)) {
        throw problem;
      }
      reserve.ifPresent(Reserve::release);
      return sparing.get();
    }
  }

  private static SQLiteConfig settings() {
    var settings = new SQLiteConfig();
    settings.setBusyTimeout((int) PATIENCE.toMillis());
    settings.enforceForeignKeys(true);
    return settings;
  }

  private static boolean busy(SQLException e) {
    return (e.getErrorCode() & 0xff) == SQLiteErrorCode.SQLITE_BUSY.code;
  }

  /// The file, for messages.
  String place() {
    return place;
  }

  /// Runs one statement and gives the number of rows it changed.
  int change(String sql, @Nullable Object... values) {
    return locked(
        () -> {
          changedNanos = System.nanoTime();
          return run(sql, PreparedStatement::executeUpdate, values);
        });
  }

  <T> List<T> all(String sql, Reader<T> reader, @Nullable Object... values) {
    return locked(() -> run(sql, statement -> read(statement, reader), values));
  }

  private static <T> List<T> read(PreparedStatement statement, Reader<T> reader)
      throws SQLException {
    var found = new ArrayList<T>();
    try (var rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(understood(reader, rows));
      }
    }
    return found;
  }

  /// A row that makes no sense is as damaged as a page that makes none.
  private static <T> T understood(Reader<T> reader, ResultSet row) throws SQLException {
    try {
      return reader.read(row);
    } catch (RuntimeException e) {
      var damage = StoreProblems.damage("a row makes no sense: " + e.getMessage());
      damage.initCause(e);
      throw damage;
    }
  }

  <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) {
    return all(sql, reader, values).stream().findFirst();
  }

  /// Runs `work` as one transaction. It takes the write lock at once: a transaction that reads
  /// first and writes later could find that another process has written in between. One inside
  /// another is part of it.
  <T> T transaction(Supplier<T> work) {
    return locked(() -> inTransaction ? work.get() : wholeTransaction(work));
  }

  private <T> T wholeTransaction(Supplier<T> work) {
    change("BEGIN IMMEDIATE");
    inTransaction = true;
    try {
      var result = work.get();
      change("COMMIT");
      return result;
    } catch (Throwable failure) {
      rollBack(failure);
      throw failure;
    } finally {
      inTransaction = false;
    }
  }

  /// SQLite has already rolled back after some errors, and then refuses to do it again.
  private void rollBack(Throwable failure) {
    try {
      change("ROLLBACK");
    } catch (RuntimeException refused) {
      failure.addSuppressed(refused);
    }
  }

  private <T> T locked(Call<T> call) {
    lock.lock();
    try {
      if (closed) {
        throw StoreProblems.closed(place);
      }
      if (unmended != null) {
        throw unmended;
      }
      return call.run();
    } catch (SQLException e) {
      throw mended(StoreProblems.of(place, e));
    } catch (Problem problem) {
      throw mended(problem);
    } finally {
      lock.unlock();
    }
  }

  /// Only when nothing of this process is in the middle of using it. What cannot be mended now, for
  /// want of room perhaps, is tried again by whoever comes next.
  private Problem mended(Problem problem) {
    if (lock.getHoldCount() > 1 || mending.isEmpty() || !StoreProblems.isDamage(problem)) {
      return problem;
    }
    unmended = problem;
    try {
      mending.get().run();
    } catch (Problem failure) {
      failure.addSuppressed(problem);
      return failure;
    }
    unmended = null;
    return StoreProblems.madeAnew(problem);
  }

  /// What is removed is overwritten, in the file; [#cleanse] does it for the log.
  void overwriteWhatIsRemoved() {
    all("PRAGMA secure_delete = ON", row -> row.getLong(1));
  }

  /// The same only where that costs no writing: for a disk without room.
  void overwriteWhereItIsCheap() {
    all("PRAGMA secure_delete = FAST", row -> row.getLong(1));
  }

  /// Something was removed that must not stay in the log.
  void removed() {
    locked(
        () -> {
          if (!uncleansed) {
            uncleansed = true;
            uncleansedNanos = System.nanoTime();
          }
          return uncleansed;
        });
  }

  /// Empties the log if something that was removed may be in it. Others may be reading from it;
  /// then it is left for the next time.
  void cleanse() {
    locked(
        () -> {
          if (uncleansed && !inTransaction) {
            uncleansed = !emptied();
            if (!uncleansed) {
              beginLog();
            }
            reserve.ifPresent(Reserve::take);
          }
          return uncleansed;
        });
  }

  /// The same, but not while much is going on: emptying waits for the disk, and whoever changes
  /// something meanwhile waits with it. At the latest after [#LONGEST_UNCLEANSED].
  void cleanseWhenQuiet() {
    if (dueForCleansing()) {
      cleanse();
    }
  }

  private boolean dueForCleansing() {
    return locked(
        () -> {
          long now = System.nanoTime();
          return now - changedNanos > QUIET.toNanos()
              || now - uncleansedNanos > LONGEST_UNCLEANSED.toNanos();
        });
  }

  private boolean emptied() {
    all("PRAGMA busy_timeout = " + MOMENT.toMillis(), row -> row.getLong(1));
    try {
      return first("PRAGMA wal_checkpoint(TRUNCATE)", row -> row.getInt(1)).orElse(0) == 0;
    } finally {
      all("PRAGMA busy_timeout = " + PATIENCE.toMillis(), row -> row.getLong(1));
    }
  }

  /// The first change after the log was emptied waits for the disk: this is it, so that nobody's
  /// is. Where there is no room for it, nothing is lost but that.
  private void beginLog() {
    long version = first("PRAGMA user_version", row -> row.getLong(1)).orElse(0L);
    try {
      run("PRAGMA user_version = " + version, PreparedStatement::executeUpdate);
    } catch (SQLException unwritten) {
      // whoever changes something next is told what is wrong
    }
  }

  private <T> T run(String sql, Use<T> use, @Nullable Object... values) throws SQLException {
    try {
      var statement = prepared(sql);
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      var result = use.of(statement);
      // Otherwise it would hold on to the last values, and a result may be large.
      statement.clearParameters();
      return result;
    } catch (SQLException e) {
      // sqlite-jdbc gives up a statement that has failed: it can never run again.
      prepared.remove(sql);
      throw e;
    }
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    var statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  static Optional<Long> optionalLong(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(value);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        connection.close();
      }
    } catch (SQLException e) {
      throw StoreProblems.of(place, e);
    } finally {
      lock.unlock();
    }
  }
}
