package husk.store;

import java.sql.SQLException;
import java.util.List;

/// Whether what a database says can be believed, as far as can be told without reading everything.
final class Integrity {
  /// Larger files hold results, mostly; reading all of them would keep whoever opens it waiting.
  private static final long WHOLE = 32L << 20;

  private static final List<String> TABLES =
      List.of("kernels", "launches", "executions", "sandboxes");

  private Integrity() {}

  /// Fails when the file is damaged. The tables that say what lives are looked at row by row.
  static void check(Database database, long size) {
    for (var table : TABLES) {
      boolean small = !table.equals("executions");
      if (small || size <= WHOLE) {
        requireOk(database, small ? "integrity_check" : "quick_check", table);
      }
    }
    database.all(KernelRows.LIST, KernelRows::read);
    database.all(SandboxRows.LIST, SandboxRows::read);
  }

  private static void requireOk(Database database, String check, String table) {
    var found = "SELECT name FROM sqlite_schema WHERE name = ?";
    if (database.first(found, row -> row.getString(1), table).isEmpty()) {
      throw StoreProblems.of(
          database.place(), StoreProblems.damage("the table " + table + " is missing"));
    }
    database.all("PRAGMA " + check + "(" + table + ")", row -> okOrDamage(row.getString(1)));
  }

  private static boolean okOrDamage(String said) throws SQLException {
    if (!said.equals("ok")) {
      throw StoreProblems.damage(said);
    }
    return true;
  }
}
