package husk.store;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// Makes the registry's file and folder, keeps others out of them, and makes it anew when it is
/// damaged.
///
/// Nothing here opens an existing file: closing any descriptor of it would drop the POSIX locks of
/// all of this process's connections to it, and with them SQLite's protection from other processes.
final class RegistryFile {
  private static final String MINE = "rw-------";

  private final Path file;
  private final Rescue rescue;
  private final Reserve reserve;

  private RegistryFile(Path file, Rescue rescue) {
    this.file = file;
    this.rescue = rescue;
    this.reserve = new Reserve(file);
  }

  /// Opens a database with the present schema. A file that is not ours is left as it was.
  static Database open(Path file, Rescue rescue) {
    var opening = new RegistryFile(file, rescue);
    try {
      var database = opening.openOrMakeAnew();
      database.keepRoom(opening.reserve);
      if (rescue.setsAside()) {
        database.mendWith(() -> database.become(opening::openOrFail));
      }
      return database;
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  private Database openOrMakeAnew() throws IOException {
    create();
    try {
      return openWithRoom(Optional.empty());
    } catch (Problem problem) {
      return anew(problem);
    }
  }

  /// A file that lies beside the database is needed to open it, and a full disk has no room for it.
  private Database openWithRoom(Optional<Path> damaged) throws IOException {
    try {
      return opened(damaged);
    } catch (Problem problem) {
      if (!StoreProblems.isLackOfRoom(problem) || !reserve.release()) {
        throw problem;
      }
      return opened(damaged);
    }
  }

  private Database opened(Optional<Path> damaged) throws IOException {
    requireOwn();
    var database = Database.open(file);
    try {
      database.overwriteWhatIsRemoved();
      if (Migrations.isPresent(database)) {
        Integrity.check(database, Files.size(file));
      }
      Migrations.apply(database, () -> rescue.rebuild(new SqliteRegistry(database), damaged));
      // First the mode: the files of the log take theirs from it.
      closeToOthers();
      database.writeAhead();
      database.cleanse();
      return database;
    } catch (Throwable failure) {
      database.close();
      throw failure;
    }
  }

  private Database openOrFail() {
    try {
      return openOrMakeAnew();
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  /// One at a time: whoever comes second finds it made anew.
  private Database anew(Problem damage) throws IOException {
    if (!StoreProblems.isDamage(damage) || !rescue.setsAside()) {
      throw damage;
    }
    try (var _ = Turn.of(file)) {
      try {
        return openWithRoom(Optional.empty());
      } catch (Problem still) {
        if (!StoreProblems.isDamage(still)
            || (StoreProblems.isNoDatabase(still) && !rescue.owns(file))) {
          throw still;
        }
      }
      var aside = SetAside.move(file);
      create();
      return openWithRoom(Optional.of(aside));
    }
  }

  private void create() throws IOException {
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
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MINE)));
    } catch (FileAlreadyExistsException _) {
      // Another process was quicker, and made it the same way.
    }
  }

  /// What somebody else's file says about kernels could not be trusted, not even by root.
  private void requireOwn() throws IOException {
    var owner = Files.getAttribute(file, "unix:uid");
    if (!owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      throw new Problem(
          Problem.Code.STORE_FAILED,
          "cannot use the registry %s: it belongs to user %s".formatted(file, owner),
          "run Husk as that user, or set HUSK_REGISTRY_PATH to another file");
    }
  }

  private void closeToOthers() throws IOException {
    var mine = PosixFilePermissions.fromString(MINE);
    if (!Files.getPosixFilePermissions(file).equals(mine)) {
      Files.setPosixFilePermissions(file, mine);
    }
  }

  private static Problem unusable(Path file, IOException e) {
    return new Problem(
            Problem.Code.STORE_FAILED,
            "cannot make the registry %s: %s".formatted(file, e),
            "make its folder writable for you alone, or set HUSK_REGISTRY_PATH to another file")
        .causedBy(e);
  }
}
