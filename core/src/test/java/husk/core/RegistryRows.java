package husk.core;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/// Puts the registry into states that only accidents bring about.
final class RegistryRows {
  private RegistryRows() {}

  static void change(Path registry, String sql) {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + registry);
        var statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
