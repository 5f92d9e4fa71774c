package husk.backends.bubblewrap;

import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// One folder that is `/etc` in every sandbox: copies of the little of the machine's that programs
/// need, and the files that are a sandbox's own.
///
/// Bubblewrap takes half a millisecond for each thing it mounts, and this is one thing instead of
/// thirty. What nobody but its owner may read is not copied. When the machine's files change,
/// another folder is made; those who live with the former keep it.
final class SharedEtc {
  private final Path etc;
  private final List<String> names;
  private final Map<String, String> own;

  /// @param etc the machine's
  /// @param names what of it to copy
  /// @param own contents by name
  SharedEtc(Path etc, List<String> names, Map<String, String> own) {
    this.etc = etc;
    this.names = names.stream().filter(name -> Files.exists(etc.resolve(name))).toList();
    this.own = own;
  }

  /// Its place beside the sandboxes; made now if there is none.
  Path beside(SandboxPlace place) throws IOException {
    var folder = place.files().resolveSibling("etc-" + fingerprint());
    if (Files.notExists(folder)) {
      make(place.files().resolve("etc-draft-" + UUID.randomUUID()), folder);
    }
    return folder;
  }

  /// Changes when anything is replaced; what is in folders is told by the folder.
  private String fingerprint() throws IOException {
    var text = new StringBuilder(own.toString());
    for (var name : names) {
      var seen = Files.readAttributes(etc.resolve(name), BasicFileAttributes.class);
      text.append('\n').append(name).append(' ').append(seen.lastModifiedTime().toMillis());
      text.append(' ').append(seen.size()).append(' ').append(seen.fileKey());
    }
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whole or not at all, whoever else makes it at the same time. A draft that is left, because its
  /// maker was killed or slower than another, goes with the sandbox that it was made for.
  private void make(Path draft, Path folder) throws IOException {
    open(Files.createDirectories(draft));
    for (var name : names) {
      var target = draft.resolve(name);
      openParents(draft, target);
      var source = etc.resolve(name).toRealPath();
      Files.walkFileTree(source, new Copying(source, target));
    }
    for (var file : own.entrySet()) {
      readable(Files.writeString(draft.resolve(file.getKey()), file.getValue()));
    }
    try {
      Files.move(draft, folder);
    } catch (IOException e) {
      if (Files.notExists(folder)) {
        throw e;
      }
      // Somebody else was quicker.
    }
  }

  private static void openParents(Path draft, Path target) throws IOException {
    var parent = target.getParent();
    if (parent != null && !parent.equals(draft) && Files.notExists(parent)) {
      openParents(draft, parent);
      open(Files.createDirectory(parent));
    }
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void readable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /// Copies what everybody may read. Links stay links, and lead wherever they lead inside.
  private static final class Copying extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;

    Copying(Path from, Path to) {
      this.from = from;
      this.to = to;
    }

    private Path target(Path path) {
      var relative = from.relativize(path).toString();
      return relative.isEmpty() ? to : to.resolve(relative);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      if (!forOthers(folder, PosixFilePermission.OTHERS_EXECUTE)) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      open(Files.createDirectory(target(folder)));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isSymbolicLink()) {
        Files.createSymbolicLink(target(file), Files.readSymbolicLink(file));
      } else if (attributes.isRegularFile() && forOthers(file, PosixFilePermission.OTHERS_READ)) {
        readable(Files.copy(file, target(file)));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
      return FileVisitResult.CONTINUE;
    }

    private static boolean forOthers(Path path, PosixFilePermission needed) throws IOException {
      return Files.getPosixFilePermissions(path).contains(needed);
    }
  }
}
