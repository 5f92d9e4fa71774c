package husk.core;

import husk.model.Problem;
import husk.spi.Sandbox;
import husk.spi.Tenancy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What is in the temporary folders of a sandbox. They are memory of the sandbox's own, so its
/// agent packs and unpacks them.
///
/// Each is kept as an archive; an empty one says that the folder was empty, and where there is none
/// the folder could not be packed and is left alone. So is what nobody may read.
final class TemporaryFiles {
  private static final Map<String, String> ARCHIVES =
      Map.of("/tmp", "tmp.tar", "/var/tmp", "var-tmp.tar");

  private TemporaryFiles() {}

  static void keep(Sandbox sandbox, Path kept) {
    ARCHIVES.forEach((folder, archive) -> keep(sandbox, folder, kept.resolve(archive)));
  }

  private static void keep(Sandbox sandbox, String folder, Path archive) {
    try {
      var unread = pack(sandbox, folder, archive);
      if (!unread.isEmpty()) {
        Files.writeString(unreadBeside(archive), String.join("\0", unread));
      }
    } catch (IOException | Problem unreadable) {
      delete(archive);
    }
  }

  private static Path unreadBeside(Path archive) {
    return archive.resolveSibling(archive.getFileName() + ".unread");
  }

  /// Writes what a folder holds to an archive.
  ///
  /// @return what is not in it, because nobody may read it
  static List<String> pack(Sandbox sandbox, String folder, Path archive) throws IOException {
    if (!hasSomething(sandbox, folder)) {
      Files.write(archive, new byte[0]);
      return List.of();
    }
    var foreign = MountedInside.names(sandbox, folder);
    try {
      pack(sandbox, folder, foreign, archive);
      return List.of();
    } catch (Problem refused) {
      var unread = Unreadable.paths(sandbox, folder, foreign);
      if (unread.isEmpty()) {
        throw refused;
      }
      pack(sandbox, folder, Stream.concat(foreign.stream(), unread.stream()).toList(), archive);
      return unread;
    }
  }

  private static void pack(Sandbox sandbox, String folder, List<String> without, Path archive)
      throws IOException {
    try (var out = Files.newOutputStream(archive)) {
      sandbox.files().packWithout(folder, without, out);
    }
  }

  static Set<String> folders() {
    return ARCHIVES.keySet();
  }

  /// Where a folder was kept, if it could be.
  static Path archive(String folder, Path kept) {
    return kept.resolve(ARCHIVES.getOrDefault(folder, folder));
  }

  private static void delete(Path archive) {
    try {
      Files.deleteIfExists(archive);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void restore(Sandbox sandbox, Path kept) {
    ARCHIVES.forEach((folder, archive) -> restore(sandbox, folder, kept.resolve(archive)));
  }

  private static void restore(Sandbox sandbox, String folder, Path archive) {
    try {
      if (Files.exists(archive)) {
        clear(sandbox, folder, unreadBeside(archive));
        unpack(sandbox, folder, archive);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot put the files of " + folder + " back", e);
    }
  }

  /// What could not be kept stays as it is.
  private static void clear(Sandbox sandbox, String folder, Path unread) throws IOException {
    if (hasSomething(sandbox, folder)) {
      var staying = new ArrayList<>(MountedInside.names(sandbox, folder));
      if (Files.exists(unread)) {
        Stream.of(Files.readString(unread).split("\0"))
            .map(path -> path.split("/")[0])
            .distinct()
            .forEach(staying::add);
      }
      sandbox.files().emptyBut(folder, staying);
    }
  }

  private static void unpack(Sandbox sandbox, String folder, Path archive) throws IOException {
    if (Files.size(archive) > 0) {
      try (var in = Files.newInputStream(archive)) {
        sandbox.files().unpack(folder, in);
      }
    }
  }

  /// Mostly there is nothing, and to look in from outside is quicker than to ask.
  private static boolean hasSomething(Sandbox sandbox, String folder) {
    var pid = sandbox.tenancy().map(Tenancy::pid).orElse(0L);
    try (Stream<Path> found = Files.list(Path.of("/proc/" + pid + "/root" + folder))) {
      var names = found.map(path -> String.valueOf(path.getFileName())).toList();
      return !names.isEmpty() && !MountedInside.names(sandbox, folder).containsAll(names);
    } catch (IOException | UncheckedIOException closed) {
      return true;
    }
  }
}
