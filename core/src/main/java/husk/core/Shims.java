package husk.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// Managers of versions, such as pyenv and rbenv, have a script for every program, which asks them
/// what to start in its place. A sandbox has no manager, so they are seen through here.
final class Shims {
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private Shims() {}

  /// What is started for a program: itself, or for a script of a manager the program of the version
  /// that is in use everywhere; nothing if that cannot be told.
  static Optional<Path> behind(Path program) {
    var folder = program.getParent();
    if (folder == null || !folder.endsWith("shims")) {
      return Optional.of(program);
    }
    var versions = folder.resolveSibling("versions");
    return BLANKS
        .splitAsStream(inUse(folder.resolveSibling("version")))
        .filter(version -> !version.isEmpty())
        .map(version -> versions.resolve(version).resolve("bin").resolve(program.getFileName()))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private static String inUse(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException none) {
      return "";
    }
  }
}
