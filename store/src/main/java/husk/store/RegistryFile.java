package husk.store;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Makes the registry's file and folder, and keeps others out of them.
///
/// Nothing here opens an existing file: closing any descriptor of it would drop the POSIX locks of
/// all of this process's connections to it, and with them SQLite's protection from other processes.
final class RegistryFile {
  private RegistryFile() {}

  /// Opens a database with the present schema. A file that is not ours is left as it was.
  static Database open(Path file) {
    try {
      create(file);
      var database = Database.open(file);
      try {
        Migrations.apply(database);
        // First the mode: the files of the log take theirs from it.
        closeToOthers(file);
        database.writeAhead();
        return database;
      } catch (Throwable failure) {
        database.close();
        throw failure;
      }
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.STORE_FAILED,
              "cannot make the registry %s: %s".formatted(file, e),
              "make its folder writable for you alone, or set HUSK_REGISTRY_PATH to another file")
          .causedBy(e);
    }
  }

  private static void create(Path file) throws IOException {
    var folder = file.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    if (Files.exists(file)) {
      return;
    }
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException _) {
      // Another process was quicker, and made it the same way.
    }
  }

  /// Fails when the file is someone else's: what it says about kernels could not be trusted.
  private static void closeToOthers(Path file) throws IOException {
    var mine = PosixFilePermissions.fromString("rw-------");
    if (!Files.getPosixFilePermissions(file).equals(mine)) {
      Files.setPosixFilePermissions(file, mine);
    }
  }
}
