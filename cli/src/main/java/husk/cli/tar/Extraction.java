package husk.cli.tar;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Lays an archive out in a folder of the host.
///
/// The archive may be hostile: no name, link or mode in it has an effect outside the folder. Links
/// are never followed, files are always made anew, and nobody becomes another user by a mode.
public final class Extraction {
  private static final PosixFilePermission[] BITS = {
    PosixFilePermission.OTHERS_EXECUTE,
    PosixFilePermission.OTHERS_WRITE,
    PosixFilePermission.OTHERS_READ,
    PosixFilePermission.GROUP_EXECUTE,
    PosixFilePermission.GROUP_WRITE,
    PosixFilePermission.GROUP_READ,
    PosixFilePermission.OWNER_EXECUTE,
    PosixFilePermission.OWNER_WRITE,
    PosixFilePermission.OWNER_READ
  };
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  private final Path root;
  private final boolean isNew;
  private final byte[] buffer = new byte[64 * 1024];
  private final Map<Path, Integer> folders = new LinkedHashMap<>();
  private long bytes;

  /// @param isNew whether the folder was made for this, and takes the archive's mode
  public Extraction(Path root, boolean isNew) {
    this.root = root;
    this.isNew = isNew;
  }

  /// Lays it out, and gives the number of bytes in its files.
  public long run(TarReader tar) throws IOException {
    for (var entry = tar.next(); entry.isPresent(); entry = tar.next()) {
      take(entry.get(), tar);
    }
    // At the end, because a folder that may not be written to could not have been filled.
    for (var folder : folders.entrySet()) {
      Files.setPosixFilePermissions(folder.getKey(), permissions(folder.getValue()));
    }
    return bytes;
  }

  private void take(TarEntry entry, TarReader tar) throws IOException {
    var steps = EntryNames.steps(entry.name());
    var path = place(steps);
    switch (entry.kind()) {
      case DIRECTORY -> folder(path, entry.mode(), steps.isEmpty());
      case FILE -> file(vacate(path, steps), entry, tar);
      case SYMLINK -> {
        EntryNames.requireInside(steps, entry.target());
        Files.createSymbolicLink(vacate(path, steps), Path.of(entry.target()));
      }
      case HARD_LINK -> hardLink(path, steps, entry.target());
      case OTHER ->
          throw EntryNames.refused(
              "`" + EntryNames.shown(entry.name()) + "`, which is no file, folder or link,");
    }
  }

  /// The entry's path, whose folders are real ones: made where they are missing.
  private Path place(List<String> steps) throws IOException {
    var path = root;
    for (int i = 0; i < steps.size(); i++) {
      path = path.resolve(steps.get(i));
      if (i < steps.size() - 1 && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        folder(path, 0755, false);
      }
    }
    return path;
  }

  private void folder(Path path, int mode, boolean isRoot) throws IOException {
    if (isRoot) {
      if (isNew) {
        folders.put(path, mode);
      }
      return;
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      if (folders.containsKey(path)) {
        folders.put(path, mode);
      }
      return;
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw inTheWay(path);
    }
    Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE));
    folders.put(path, mode);
  }

  /// Makes room for what is not a folder.
  private static Path vacate(Path path, List<String> steps) throws IOException {
    if (steps.isEmpty() || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw inTheWay(path);
    }
    Files.deleteIfExists(path);
    return path;
  }

  private void file(Path path, TarEntry entry, TarReader tar) throws IOException {
    try (var out = HoledFile.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int count = tar.read(buffer); count >= 0; count = tar.read(buffer)) {
        out.write(buffer, 0, count);
        bytes += count;
      }
    }
    Files.setPosixFilePermissions(path, permissions(entry.mode()));
    Files.setLastModifiedTime(path, FileTime.fromMillis(entry.modified() * 1000));
  }

  /// To a file that came with this archive or is already below the folder; never through a link.
  private void hardLink(Path path, List<String> steps, String target) throws IOException {
    var from = root;
    for (String step : EntryNames.steps(target)) {
      if (!Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
        throw EntryNames.refused("the link `" + EntryNames.shown(target) + "`");
      }
      from = from.resolve(step);
    }
    if (!Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)) {
      throw EntryNames.refused("the link to `" + EntryNames.shown(target) + "`");
    }
    if (!from.equals(path)) {
      Files.createLink(vacate(path, steps), from);
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    var permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int bit = 0; bit < BITS.length; bit++) {
      if ((mode >> bit & 1) == 1) {
        permissions.add(BITS[bit]);
      }
    }
    return permissions;
  }

  private static Problem inTheWay(Path path) {
    return new Problem(
            Problem.Code.INVALID_REQUEST,
            "`"
                + EntryNames.shown(path.toString())
                + "` is in the way: it is of another kind than what is copied",
            "remove it, or copy into another folder")
        .causedBy(new FileAlreadyExistsException(path.toString()));
  }
}
