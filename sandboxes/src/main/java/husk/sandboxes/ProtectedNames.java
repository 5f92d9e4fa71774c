package husk.sandboxes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What nobody may change even where writing is allowed, because others run it: hooks, settings of
/// editors and agents, start files of shells.
///
/// @param depth how far below a writable folder it is looked for
/// @param gitConfig whether a repository's own configuration is among it
record ProtectedNames(int depth, boolean gitConfig) {
  private static final List<Path> IN_PROJECTS =
      Stream.of(
              ".gitmodules",
              ".mcp.json",
              ".vscode",
              ".idea",
              ".claude/commands",
              ".claude/agents",
              ".git/hooks")
          .map(Path::of)
          .toList();
  private static final List<Path> AT_HOME =
      Stream.of(
              ".gitconfig",
              ".bashrc",
              ".bash_profile",
              ".zshrc",
              ".zprofile",
              ".profile",
              ".ripgreprc")
          .map(Path::of)
          .toList();
  private static final Path GIT = Path.of(".git");
  private static final Path GIT_CONFIG = Path.of(".git/config");

  /// What there is of it in a writable folder.
  List<Path> present(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var found = Files.walk(folder, depth)) {
      return found.filter(this::isProtected).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isProtected(Path path) {
    return Stream.concat(AT_HOME.stream(), inProjects()).anyMatch(path::endsWith)
        || (path.endsWith(GIT) && isFile(path));
  }

  private Stream<Path> inProjects() {
    return gitConfig
        ? Stream.concat(IN_PROJECTS.stream(), Stream.of(GIT_CONFIG))
        : IN_PROJECTS.stream();
  }

  /// What there is not, and would be run if somebody made it right there.
  List<Path> absent(Path folder, boolean home) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var names = home ? Stream.concat(inProjects(), AT_HOME.stream()) : inProjects();
    return names
        .filter(name -> !(name.startsWith(GIT) && isFile(folder.resolve(GIT))))
        .map(folder::resolve)
        .filter(path -> !Files.exists(path, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  /// In a worktree `.git` is a file that says where the repository is.
  private static boolean isFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }
}
