package husk.store;

import husk.model.Problem;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/// What SQLite's complaints mean, and what to do about them.
final class StoreProblems {
  private StoreProblems() {}

  private static final String ELSEWHERE = "set HUSK_REGISTRY_PATH to another file";

  static Problem of(String place, SQLException e) {
    // The low byte is the kind of error, the others its variant.
    var kind = SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff);
    return switch (kind) {
      case SQLITE_NOTADB ->
          problem(place, "it is not a SQLite database", e, "move it away, or " + ELSEWHERE);
      case SQLITE_CORRUPT ->
          problem(place, "the database is damaged", e, "move it away, or " + ELSEWHERE);
      case SQLITE_FULL -> problem(place, "the disk is full", e, "free some space on its disk");
      case SQLITE_READONLY ->
          problem(place, "it cannot be written to", e, "make it writable, or " + ELSEWHERE);
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          problem(place, "it cannot be opened", e, "make it readable, or " + ELSEWHERE);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          problem(
              place,
              "another process has kept it locked for " + Database.PATIENCE.toSeconds() + " s",
              e,
              "end the process that holds it (`fuser " + place + "` names it)");
      case SQLITE_IOERR ->
          problem(place, "the disk failed: " + e.getMessage(), e, "check its disk");
      default -> problem(place, String.valueOf(e.getMessage()), e);
    };
  }

  /// Whether what is kept can no longer be read, or makes no sense.
  static boolean isDamage(Problem problem) {
    return switch (kind(problem)) {
      case SQLITE_NOTADB, SQLITE_CORRUPT -> true;
      default -> false;
    };
  }

  /// Whether the file is not even the beginning of a database.
  static boolean isNoDatabase(Problem problem) {
    return kind(problem) == SQLiteErrorCode.SQLITE_NOTADB;
  }

  /// Whether there was no room to write to.
  static boolean isLackOfRoom(Problem problem) {
    return switch (kind(problem)) {
      case SQLITE_FULL, SQLITE_IOERR -> true;
      default -> false;
    };
  }

  private static SQLiteErrorCode kind(Problem problem) {
    return problem.getCause() instanceof SQLException e
        ? SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff)
        : SQLiteErrorCode.SQLITE_OK;
  }

  /// Damage that SQLite itself does not see.
  static SQLException damage(String what) {
    return new SQLException(what, null, SQLiteErrorCode.SQLITE_CORRUPT.code);
  }

  static Problem madeAnew(Problem damage) {
    return new Problem(
            Problem.Code.STORE_FAILED,
            damage.text() + "; it was set aside and made anew from the kernels that live",
            "ask again")
        .causedBy(damage);
  }

  static Problem closed(String place) {
    return new Problem(
        Problem.Code.STORE_FAILED, "the registry %s is closed".formatted(place), "open it again");
  }

  private static Problem problem(String place, String why, Throwable cause, String... remedies) {
    return new Problem(
            Problem.Code.STORE_FAILED,
            "cannot use the registry %s: %s".formatted(place, why),
            remedies)
        .causedBy(cause);
  }
}
