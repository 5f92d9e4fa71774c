package husk.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The statements about sandboxes, and how a [SandboxRow] becomes a row and a row a record.
final class SandboxRows {
  private SandboxRows() {}

  /// In the order of [#values].
  private static final String COLUMNS =
      """
      id, name, status, pid, start_time, created_at, last_used_at, ttl_seconds, expires_at, spec,
      labels, description\
      """;

  private static final String PLACES =
      String.join(", ", Collections.nCopies(COLUMNS.split(",").length, "?"));

  static final String INSERT =
      "INSERT INTO sandboxes (" + COLUMNS + ") VALUES (" + PLACES + ") ON CONFLICT DO NOTHING";

  static final String UPDATE =
      "UPDATE sandboxes SET (" + COLUMNS + ") = (" + PLACES + ") WHERE id = ?";

  static final String FIND = "SELECT * FROM sandboxes WHERE name = ?1 OR id = ?1 LIMIT 1";

  static final String BY_ID = "SELECT * FROM sandboxes WHERE id = ?";

  static final String LIST = "SELECT * FROM sandboxes ORDER BY created_at, id";

  static @Nullable Object[] updateValues(SandboxRow sandbox) {
    var values = values(sandbox);
    var all = Arrays.copyOf(values, values.length + 1);
    all[values.length] = sandbox.id();
    return all;
  }

  static @Nullable Object[] values(SandboxRow sandbox) {
    return new @Nullable Object[] {
      sandbox.id(),
      sandbox.name().orElse(null),
      sandbox.status().wireName(),
      sandbox.pid(),
      sandbox.startTime(),
      Times.toNanos(sandbox.createdAt()),
      Times.toNanos(sandbox.lastUsedAt()),
      sandbox.ttlSeconds(),
      sandbox.expiresAt().map(Times::toNanos).orElse(null),
      sandbox.specJson(),
      Forms.ofMap(sandbox.labels()),
      sandbox.description().orElse(null)
    };
  }

  static SandboxRow read(ResultSet row) throws SQLException {
    return new SandboxRow(
        row.getString("id"),
        Optional.ofNullable(row.getString("name")),
        SandboxRow.Status.of(row.getString("status")),
        row.getLong("pid"),
        row.getLong("start_time"),
        Times.fromNanos(row.getLong("created_at")),
        Times.fromNanos(row.getLong("last_used_at")),
        row.getLong("ttl_seconds"),
        Database.optionalLong(row, "expires_at").map(Times::fromNanos),
        row.getString("spec"),
        Forms.map(row.getString("labels")),
        Optional.ofNullable(row.getString("description")));
  }
}
