package husk.store;

import husk.model.Problem;
import java.util.List;

/// Brings a database to the present schema. Version `n` is what the first `n` steps make; steps are
/// only ever added, never edited.
final class Migrations {
  private Migrations() {}

  /// `HUSK`: tells our file from another program's database.
  private static final int APPLICATION_ID = 0x4855534b;

  // Times are nanoseconds since 1970. In executions the long texts stand last, so that pruning
  // reads no more than the beginning of each row.
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE kernels (
                kernel_id TEXT NOT NULL PRIMARY KEY,
                connection_file TEXT NOT NULL,
                name TEXT,
                created_at INTEGER NOT NULL,
                last_used_at INTEGER NOT NULL,
                status TEXT NOT NULL,
                session_name TEXT,
                attempt_count INTEGER NOT NULL,
                tags TEXT NOT NULL,
                pid INTEGER,
                start_time INTEGER,
                backend TEXT NOT NULL,
                kernel TEXT NOT NULL,
                python TEXT,
                cwd TEXT NOT NULL,
                environment TEXT NOT NULL,
                memory INTEGER,
                idle_timeout_ms INTEGER NOT NULL,
                startup_error TEXT,
                death_cause TEXT,
                death_exit_code INTEGER,
                death_signal INTEGER,
                death_detail TEXT
              ) STRICT
              """,
              "CREATE UNIQUE INDEX kernels_by_name ON kernels (name)",
              "CREATE UNIQUE INDEX kernels_by_session_name ON kernels (session_name)",
              """
              CREATE TABLE launches (
                kernel_id TEXT NOT NULL PRIMARY KEY REFERENCES kernels ON DELETE CASCADE,
                body TEXT NOT NULL
              ) STRICT
              """,
              """
              CREATE TABLE executions (
                seq INTEGER PRIMARY KEY,
                execution_id TEXT NOT NULL UNIQUE,
                kernel_id TEXT NOT NULL REFERENCES kernels ON DELETE CASCADE,
                message_id TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                ended_at INTEGER,
                request TEXT NOT NULL,
                result TEXT
              ) STRICT
              """,
              "CREATE INDEX executions_by_kernel ON executions (kernel_id)"),
          List.of(
              """
              CREATE TABLE sandboxes (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT,
                status TEXT NOT NULL,
                pid INTEGER NOT NULL,
                start_time INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                last_used_at INTEGER NOT NULL,
                ttl_seconds INTEGER NOT NULL,
                expires_at INTEGER,
                spec TEXT NOT NULL,
                labels TEXT NOT NULL,
                description TEXT
              ) STRICT
              """,
              "CREATE UNIQUE INDEX sandboxes_by_name ON sandboxes (name)"));

  /// @param fill what to do with one that was empty, before anybody else sees it
  static void apply(Database database, Runnable fill) {
    if (version(database) != STEPS.size()) {
      // Another process may be at it too: whoever comes second finds nothing left to do.
      database.transaction(
          () -> {
            int version = version(database);
            applyFrom(database, version);
            if (version == 0) {
              fill.run();
            }
            return true;
          });
    }
  }

  /// Whether it is a database of the present schema.
  static boolean isPresent(Database database) {
    return version(database) == STEPS.size();
  }

  private static void applyFrom(Database database, int version) {
    if (version > STEPS.size()) {
      throw new Problem(
          Problem.Code.STORE_FAILED,
          "the registry %s was written by a newer Husk (schema %d, this one knows %d)"
              .formatted(database.place(), version, STEPS.size()),
          "use the newer Husk",
          "or set HUSK_REGISTRY_PATH to another file");
    }
    if (version == 0 && number(database, "SELECT count(*) FROM sqlite_schema") > 0) {
      throw new Problem(
          Problem.Code.STORE_FAILED,
          "%s is a database of another program".formatted(database.place()),
          "move it away, or set HUSK_REGISTRY_PATH to another file");
    }
    STEPS.subList(version, STEPS.size()).forEach(step -> step.forEach(database::change));
    database.change("PRAGMA application_id = " + APPLICATION_ID);
    database.change("PRAGMA user_version = " + STEPS.size());
  }

  private static int version(Database database) {
    return number(database, "PRAGMA user_version");
  }

  private static int number(Database database, String query) {
    return database.first(query, row -> row.getInt(1)).orElse(0);
  }
}
