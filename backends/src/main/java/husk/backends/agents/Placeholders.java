package husk.backends.agents;

import husk.model.Problem;
import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Empty files and folders of the host that stand where nothing may come to be while a sandbox
/// runs: something can only be mounted on what exists.
///
/// They are gone when the last sandbox that needs them has ended, unless somebody has put something
/// into them. Each sandbox writes down which it needs before they are made; whoever comes later
/// joins in.
public final class Placeholders {
  private static final String NOTES = "placeholders";
  private static final Object HERE = new Object();

  private Placeholders() {}

  /// Something that is to stand at a path of the host.
  public record Wanted(Path path, boolean folder) {}

  /// Makes what is missing, parents included, and says which of all are placeholders.
  public static List<Path> hold(SandboxPlace place, List<Wanted> wanted) throws IOException {
    return wanted.isEmpty() ? List.of() : locked(place, () -> holdAll(place, wanted));
  }

  /// Removes those that nobody else needs.
  public static void release(SandboxPlace place) {
    if (Files.notExists(notes(place))) {
      return;
    }
    try {
      locked(place, () -> releaseAll(place));
    } catch (IOException e) {
      // The notes are still there; the next to end a sandbox of this name tries again.
    }
  }

  private static List<Path> holdAll(SandboxPlace place, List<Wanted> wanted) throws IOException {
    var others = others(place);
    var held = new ArrayList<>(PlaceholderNote.read(notes(place)));
    for (var one : wanted) {
      others.stream().filter(note -> isAbove(note, one)).forEach(held::add);
      for (var missing : withParents(one)) {
        hold(missing, others, held);
      }
      PlaceholderNote.write(notes(place), held);
    }
    return held.stream().filter(PlaceholderNote::stands).map(PlaceholderNote::path).toList();
  }

  private static boolean isAbove(PlaceholderNote note, Wanted wanted) {
    return wanted.path().startsWith(note.path())
        && !wanted.path().equals(note.path())
        && note.stands();
  }

  /// What has to be made for it, the outermost first, and itself.
  private static List<Wanted> withParents(Wanted wanted) {
    var all = new ArrayList<>(List.of(wanted));
    for (var parent = wanted.path().getParent();
        parent != null && !Files.exists(parent, LinkOption.NOFOLLOW_LINKS);
        parent = parent.getParent()) {
      all.addFirst(new Wanted(parent, true));
    }
    return all;
  }

  private static void hold(Wanted wanted, List<PlaceholderNote> others, List<PlaceholderNote> held)
      throws IOException {
    if (held.stream().anyMatch(note -> note.path().equals(wanted.path()) && note.stands())) {
      return;
    }
    var known = others.stream().filter(note -> note.path().equals(wanted.path())).findFirst();
    if (Files.exists(wanted.path(), LinkOption.NOFOLLOW_LINKS)) {
      known.filter(PlaceholderNote::stands).ifPresent(held::add);
      return;
    }
    make(wanted);
    held.add(PlaceholderNote.of(wanted.path()));
  }

  private static void make(Wanted wanted) {
    try {
      if (wanted.folder()) {
        Files.createDirectory(wanted.path());
      } else {
        Files.createFile(wanted.path());
      }
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.ISOLATION_UNAVAILABLE,
              "`" + wanted.path() + "` does not exist and cannot be kept from being made: " + e,
              "make it yourself, or take it out of the rules")
          .causedBy(e);
    }
  }

  private static List<Path> releaseAll(SandboxPlace place) throws IOException {
    var others = others(place).stream().map(PlaceholderNote::path).toList();
    for (var note : PlaceholderNote.read(notes(place)).reversed()) {
      if (!others.contains(note.path())) {
        note.remove();
      }
    }
    Files.deleteIfExists(notes(place));
    return List.of();
  }

  /// What the other sandboxes of this user wrote down.
  private static List<PlaceholderNote> others(SandboxPlace place) throws IOException {
    var all = new ArrayList<PlaceholderNote>();
    try (var folders = Files.list(root(place))) {
      for (var folder : folders.filter(path -> !path.equals(place.files())).toList()) {
        all.addAll(PlaceholderNote.read(folder.resolve(NOTES)));
      }
    }
    return all;
  }

  private static Path notes(SandboxPlace place) {
    return place.files().resolve(NOTES);
  }

  private static Path root(SandboxPlace place) {
    return Optional.ofNullable(place.files().getParent()).orElse(place.files());
  }

  private interface Work {
    List<Path> run() throws IOException;
  }

  /// One sandbox at a time, of this process and of others.
  private static List<Path> locked(SandboxPlace place, Work work) throws IOException {
    var lock = root(place).resolve("." + NOTES + ".lock");
    synchronized (HERE) {
      try (var file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = file.lock()) {
        return work.run();
      }
    }
  }
}
