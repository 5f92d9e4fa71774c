package husk;

import husk.model.Problem;
import husk.spi.FileEntry;
import husk.spi.SandboxFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;

/// Copies files and folders between this machine and a sandbox. What is neither is refused rather
/// than left out.
final class Copying {
  private static final List<PosixFilePermission> RIGHTS = List.of(PosixFilePermission.values());

  private final SandboxFiles files;

  Copying(SandboxFiles files) {
    this.files = files;
  }

  void in(Path source, String target) throws IOException {
    if (Files.isDirectory(source)) {
      files.makeDirectory(target, true);
      try (var entries = Files.list(source)) {
        for (var entry : entries.sorted().toList()) {
          in(entry, target + "/" + entry.getFileName());
        }
      }
      return;
    }
    if (!Files.isRegularFile(source)) {
      throw odd(source.toString());
    }
    try (var contents = Files.newInputStream(source)) {
      files.write(target, mode(source), contents);
    }
  }

  private static int mode(Path file) throws IOException {
    int mode = 0;
    for (var right : Files.getPosixFilePermissions(file)) {
      mode |= 0400 >> RIGHTS.indexOf(right);
    }
    return mode;
  }

  void out(String source, Path target) throws IOException {
    var entry = files.stat(source);
    switch (entry.kind()) {
      case DIRECTORY -> {
        Files.createDirectories(target);
        for (var inside : files.list(source)) {
          out(source + "/" + inside.name(), target.resolve(sound(inside.name())));
        }
      }
      case FILE -> write(source, entry, target);
      case SYMLINK, OTHER -> throw odd(source);
    }
  }

  private void write(String source, FileEntry entry, Path target) throws IOException {
    if (Files.isSymbolicLink(target)) {
      throw odd(target.toString());
    }
    try (var contents = files.read(source)) {
      Files.copy(contents, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    var rights = EnumSet.noneOf(PosixFilePermission.class);
    RIGHTS.stream()
        .filter(it -> (entry.mode() & (0400 >> RIGHTS.indexOf(it))) != 0)
        .forEach(rights::add);
    Files.setPosixFilePermissions(target, rights);
  }

  /// A sandbox may call its files what it likes; here they must stay below the target.
  private static String sound(String name) {
    if (name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..")) {
      throw odd(name);
    }
    return name;
  }

  private static Problem odd(String what) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "`" + what + "` is neither a file nor a folder, and is not copied",
        "copy what it leads to, or use files().pack() for everything as it is");
  }
}
