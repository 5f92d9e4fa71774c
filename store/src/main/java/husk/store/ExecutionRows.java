package husk.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/// The statements about executions, and how a row becomes an [ExecutionRow].
final class ExecutionRows {
  private ExecutionRows() {}

  /// Inserts nothing when the kernel is unknown or the id is taken.
  static final String BEGIN =
      """
      INSERT INTO executions (execution_id, kernel_id, message_id, started_at, request)
      SELECT ?1, kernel_id, ?3, ?4, ?5 FROM kernels WHERE kernel_id = ?2
      ON CONFLICT (execution_id) DO NOTHING
      """;

  static final String FINISH =
      """
      UPDATE executions SET ended_at = ?2, result = ?3 WHERE execution_id = ?1 AND result IS NULL
      RETURNING kernel_id
      """;

  /// Newest by their ends: what has just finished is never what is dropped.
  static final String PRUNE =
      """
      DELETE FROM executions WHERE seq IN (
        SELECT seq FROM executions WHERE kernel_id = ? AND ended_at IS NOT NULL
        ORDER BY ended_at DESC, seq DESC LIMIT -1 OFFSET 50)
      """;

  static final String BY_ID = "SELECT * FROM executions WHERE execution_id = ?";

  static final String RUNNING =
      """
      SELECT * FROM executions WHERE kernel_id = ? AND result IS NULL ORDER BY started_at, seq
      """;

  static final String LATEST =
      """
      SELECT * FROM executions WHERE kernel_id = ? ORDER BY started_at DESC, seq DESC LIMIT ?
      """;

  static ExecutionRow read(ResultSet row) throws SQLException {
    return new ExecutionRow(
        row.getString("execution_id"),
        row.getString("kernel_id"),
        row.getString("message_id"),
        row.getString("request"),
        Times.fromNanos(row.getLong("started_at")),
        Database.optionalLong(row, "ended_at").map(Times::fromNanos),
        Optional.ofNullable(row.getString("result")));
  }
}
