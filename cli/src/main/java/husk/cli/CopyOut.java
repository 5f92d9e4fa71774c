package husk.cli;

import husk.cli.tar.Extraction;
import husk.cli.tar.HoledFile;
import husk.cli.tar.Piped;
import husk.cli.tar.TarReader;
import husk.model.Problem;
import husk.spi.FileEntry;
import husk.spi.SandboxFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// Copies from a sandbox to the host. What comes out is not trusted: it has no effect outside the
/// place it was asked for.
final class CopyOut {
  private final SandboxFiles files;
  private final Terminal terminal;

  CopyOut(SandboxFiles files, Terminal terminal) {
    this.files = files;
    this.terminal = terminal;
  }

  /// Gives the number of bytes copied.
  long copy(SandboxPath from, SandboxPath to) throws IOException {
    if (to.isStream()) {
      return stream(from);
    }
    var target = Path.of(Creation.absolute(to.path(), terminal));
    boolean exists = Files.isDirectory(target);
    if (to.endsAsFolder() && !exists) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "there is no folder `" + to.path() + "`");
    }
    var place = exists ? below(target, from.lastName()) : target;
    return CopyIn.isFolder(files, from) ? folder(from, place) : file(from, place, !exists);
  }

  /// A link that was named is meant. One that only happens to have the name may have been put there
  /// by the sandbox itself, in a folder that both can write to.
  private static Path below(Path target, String name) {
    var place = target.resolve(name);
    if (!name.isEmpty() && Files.isSymbolicLink(place)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + place + "` is in the way: it is a link, which a copy does not follow",
          "remove it, or name what it leads to as the target");
    }
    return place;
  }

  private long stream(SandboxPath from) throws IOException {
    try (var in = new CountedInput(files.read(from.path()))) {
      var piece = new byte[64 * 1024];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        terminal.print(count == piece.length ? piece : java.util.Arrays.copyOf(piece, count));
      }
      return in.count();
    }
  }

  private long folder(SandboxPath from, Path place) throws IOException {
    boolean isNew = !Files.exists(place);
    if (isNew) {
      Files.createDirectories(place);
    }
    try (var in = Piped.of(out -> files.pack(from.path(), out))) {
      return new Extraction(place.toRealPath(), isNew).run(new TarReader(in));
    }
  }

  /// In place only once it is whole; what is no ordinary file, such as `/dev/null`, is written to.
  private long file(SandboxPath from, Path place, boolean named) throws IOException {
    var entry = files.stat(from.path());
    // A link's own mode says nothing about the file it leads to.
    int mode = entry.kind() == FileEntry.Kind.FILE ? entry.mode() & 0777 : 0644;
    try (var in = new CountedInput(files.read(from.path()))) {
      if (named && Files.exists(place) && !Files.isRegularFile(place)) {
        try (var out = Files.newOutputStream(place)) {
          in.transferTo(out);
        }
      } else {
        replace(named && Files.exists(place) ? place.toRealPath() : place, in, mode);
      }
      return in.count();
    }
  }

  private static void replace(Path place, InputStream in, int mode) throws IOException {
    var folder = place.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "there is no folder `" + folder + "`");
    }
    var whole = Files.createTempFile(folder, ".husk-", ".part");
    try {
      try (var out = HoledFile.open(whole, StandardOpenOption.WRITE)) {
        in.transferTo(out);
      }
      Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString(letters(mode)));
      Files.move(whole, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private static String letters(int mode) {
    var letters = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < 9; i++) {
      if ((mode >> (8 - i) & 1) == 0) {
        letters.setCharAt(i, '-');
      }
    }
    return letters.toString();
  }
}
