package husk.store;

import husk.model.Death;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The statements about kernels, and how a [KernelRecord] becomes a row and a row a record.
final class KernelRows {
  private KernelRows() {}

  /// In the order of [#values].
  private static final String COLUMNS =
      """
      kernel_id, connection_file, name, created_at, last_used_at, status, session_name,
      attempt_count, tags, pid, start_time, backend, kernel, python, cwd, environment, memory,
      idle_timeout_ms, startup_error, death_cause, death_exit_code, death_signal, death_detail\
      """;

  private static final String PLACES =
      String.join(", ", Collections.nCopies(COLUMNS.split(",").length, "?"));

  static final String INSERT = "INSERT INTO kernels (" + COLUMNS + ") VALUES (" + PLACES + ")";

  static final String INSERT_LAUNCH = "INSERT INTO launches (kernel_id, body) VALUES (?, ?)";

  static final String UPDATE =
      "UPDATE kernels SET (" + COLUMNS + ") = (" + PLACES + ") WHERE kernel_id = ?";

  static final String BY_ID = "SELECT * FROM kernels WHERE kernel_id = ?";

  static final String FIND =
      """
      SELECT * FROM kernels WHERE kernel_id = ?1 OR name = ?1 OR session_name = ?1
      ORDER BY kernel_id = ?1 DESC, name = ?1 DESC LIMIT 1
      """;

  static final String LIST = "SELECT * FROM kernels ORDER BY created_at, kernel_id";

  static final String LIVING = "SELECT count(*) FROM kernels WHERE status <> 'dead'";

  static final String TOUCH = "UPDATE kernels SET last_used_at = ?, status = ? WHERE kernel_id = ?";

  static final String ADD_ATTEMPT =
      """
      UPDATE kernels SET attempt_count = attempt_count + 1 WHERE kernel_id = ?
      RETURNING attempt_count
      """;

  static @Nullable Object[] updateValues(KernelRecord kernel) {
    var values = values(kernel);
    var all = Arrays.copyOf(values, values.length + 1);
    all[values.length] = kernel.kernelId();
    return all;
  }

  static @Nullable Object[] values(KernelRecord kernel) {
    return new @Nullable Object[] {
      kernel.kernelId(),
      kernel.connectionFile().toString(),
      kernel.name().orElse(null),
      Times.toNanos(kernel.createdAt()),
      Times.toNanos(kernel.lastUsedAt()),
      kernel.status().wireName(),
      kernel.sessionName().orElse(null),
      kernel.attemptCount(),
      Forms.ofMap(kernel.tags()),
      kernel.process().map(KernelProcess::pid).orElse(null),
      kernel.process().map(KernelProcess::startTime).orElse(null),
      kernel.backend(),
      kernel.kernel(),
      kernel.python().orElse(null),
      kernel.cwd().toString(),
      Forms.ofList(kernel.environment()),
      kernel.memory().orElse(null),
      kernel.idleTimeout().toMillis(),
      kernel.startupError().orElse(null),
      kernel.death().map(death -> death.cause().wireName()).orElse(null),
      kernel.death().flatMap(Death::exitCode).orElse(null),
      kernel.death().flatMap(Death::signal).orElse(null),
      kernel.death().map(Death::detail).orElse(null)
    };
  }

  static KernelRecord read(ResultSet row) throws SQLException {
    return new KernelRecord(
        row.getString("kernel_id"),
        Path.of(row.getString("connection_file")),
        Optional.ofNullable(row.getString("name")),
        Times.fromNanos(row.getLong("created_at")),
        Times.fromNanos(row.getLong("last_used_at")),
        KernelStatus.of(row.getString("status")),
        Optional.ofNullable(row.getString("session_name")),
        row.getInt("attempt_count"),
        Forms.map(row.getString("tags")),
        process(row),
        row.getString("backend"),
        row.getString("kernel"),
        Optional.ofNullable(row.getString("python")),
        Path.of(row.getString("cwd")),
        Forms.list(row.getString("environment")),
        Database.optionalLong(row, "memory"),
        Duration.ofMillis(row.getLong("idle_timeout_ms")),
        Optional.ofNullable(row.getString("startup_error")),
        death(row));
  }

  private static Optional<KernelProcess> process(ResultSet row) throws SQLException {
    long startTime = row.getLong("start_time");
    return Database.optionalLong(row, "pid").map(pid -> new KernelProcess(pid, startTime));
  }

  private static Optional<Death> death(ResultSet row) throws SQLException {
    var cause = row.getString("death_cause");
    if (cause == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Death(
            Death.Cause.of(cause),
            Database.optionalLong(row, "death_exit_code").map(Math::toIntExact),
            Database.optionalLong(row, "death_signal").map(Math::toIntExact),
            row.getString("death_detail")));
  }
}
