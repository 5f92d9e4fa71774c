package husk.cli;

import husk.cli.tar.TarEntry;
import husk.cli.tar.TarReader;
import husk.cli.tar.TarWriter;
import husk.model.Problem;
import java.io.IOException;
import java.util.Set;

/// Copies entries from one archive to another, moved below a folder or out of one.
final class Reroot {
  private final TarReader from;
  private final TarWriter to;
  private final byte[] piece = new byte[64 * 1024];

  Reroot(TarReader from, TarWriter to) {
    this.from = from;
    this.to = to;
  }

  /// Every entry, now below `root`. What no archive of ours holds, such as pipes, is left out.
  void under(String root) throws IOException {
    for (var next = from.next(); next.isPresent(); next = from.next()) {
      var entry = next.get();
      if (entry.kind() != TarEntry.Kind.OTHER) {
        boolean hard = entry.kind() == TarEntry.Kind.HARD_LINK;
        put(
            moved(
                entry,
                root + "/" + plain(entry.name()),
                hard ? root + "/" + plain(entry.target()) : entry.target()));
      }
    }
  }

  /// The entries below `root`, now without it. Anything but the known roots is refused.
  void outOf(String root, Set<String> known) throws IOException {
    for (var next = from.next(); next.isPresent(); next = from.next()) {
      var entry = next.get();
      String name = plain(entry.name());
      String first = name.indexOf('/') < 0 ? name : name.substring(0, name.indexOf('/'));
      if (!known.contains(first)) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "the archive is no export of a sandbox: it holds `" + first + "` beside " + known,
            "`husk sandbox cp` copies other files");
      }
      if (first.equals(root)) {
        boolean hard = entry.kind() == TarEntry.Kind.HARD_LINK;
        put(
            moved(
                entry,
                without(root, name),
                hard ? without(root, plain(entry.target())) : entry.target()));
      }
    }
  }

  private static String without(String root, String name) {
    return name.startsWith(root + "/") ? "./" + name.substring(root.length() + 1) : "./";
  }

  private static String plain(String name) {
    return name.startsWith("./") ? name.substring(2) : name;
  }

  private static TarEntry moved(TarEntry entry, String name, String target) {
    return new TarEntry(name, entry.kind(), entry.mode(), entry.size(), entry.modified(), target);
  }

  private void put(TarEntry entry) throws IOException {
    to.put(entry);
    for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
      to.write(piece, count);
    }
  }
}
