package husk.cli.tar;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads an archive: `ustar`, with the longer names of `pax` and of GNU.
public final class TarReader {
  /// No name is longer, and a hostile one must not fill memory.
  private static final int LONGEST_NOTE = 1 << 20;

  private static final long LARGEST_FILE = 1L << 60;

  /// What is read of a `pax` record. Of the rest there may be any amount.
  private static final Set<String> KNOWN = Set.of("path", "linkpath", "size");

  private final InputStream in;
  private long left;
  private int padding;

  public TarReader(InputStream in) {
    this.in = in;
  }

  /// The next entry; empty at the end, up to which all is read.
  public Optional<TarEntry> next() throws IOException {
    var notes = new HashMap<String, String>();
    while (true) {
      skipRest();
      byte[] block = in.readNBytes(TarFields.BLOCK);
      if (blank(block)) {
        in.transferTo(java.io.OutputStream.nullOutputStream());
        return Optional.empty();
      }
      check(block);
      char type = (char) (block[156] & 0xff);
      begin(TarFields.number(block, 124, 12));
      switch (type) {
        case 'L' -> notes.put("path", withoutNul(note()));
        case 'K' -> notes.put("linkpath", withoutNul(note()));
        case 'x' -> pax(note(), notes);
        case 'g' -> note();
        default -> {
          return Optional.of(entry(block, type, notes));
        }
      }
    }
  }

  /// The contents of the entry that came last; -1 after its end.
  public int read(byte[] into) throws IOException {
    if (left == 0) {
      return -1;
    }
    int count = in.read(into, 0, (int) Math.min(into.length, left));
    if (count < 0) {
      throw cut();
    }
    left -= count;
    return count;
  }

  private void begin(long size) {
    left = size;
    padding = (int) (-size & (TarFields.BLOCK - 1));
  }

  private void skipRest() throws IOException {
    try {
      in.skipNBytes(left + padding);
    } catch (EOFException e) {
      throw cut();
    }
    begin(0);
  }

  private TarEntry entry(byte[] block, char type, Map<String, String> notes) throws IOException {
    // Where there is a longer name, the short one may be cut in the middle of a character.
    String name = notes.containsKey("path") ? notes.getOrDefault("path", "") : name(block);
    String target =
        notes.containsKey("linkpath")
            ? notes.getOrDefault("linkpath", "")
            : TarFields.text(block, 157, 100);
    var kind = kind(type, name);
    if (notes.containsKey("size")) {
      begin(number(notes.getOrDefault("size", "")));
    }
    if (kind != TarEntry.Kind.FILE && left > 0 && kind != TarEntry.Kind.OTHER) {
      throw new IOException("the archive has contents where there can be none: `" + name + "`");
    }
    return new TarEntry(
        name,
        kind,
        (int) TarFields.number(block, 100, 8) & 07777,
        left,
        TarFields.number(block, 136, 12),
        target);
  }

  private static String name(byte[] block) throws IOException {
    String name = TarFields.text(block, 0, 100);
    // GNU's own format has other things where the prefix would be.
    boolean posix = block[257] == 'u' && block[262] == 0;
    String prefix = posix ? TarFields.text(block, 345, 155) : "";
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static TarEntry.Kind kind(char type, String name) {
    return switch (type) {
      case '0', '\0', '7' -> name.endsWith("/") ? TarEntry.Kind.DIRECTORY : TarEntry.Kind.FILE;
      case '1' -> TarEntry.Kind.HARD_LINK;
      case '2' -> TarEntry.Kind.SYMLINK;
      case '5' -> TarEntry.Kind.DIRECTORY;
      default -> TarEntry.Kind.OTHER;
    };
  }

  private byte[] note() throws IOException {
    if (left > LONGEST_NOTE) {
      throw new IOException("the archive has a name of impossible length");
    }
    byte[] note = in.readNBytes((int) left);
    if (note.length < left) {
      throw cut();
    }
    left = 0;
    return note;
  }

  private static String withoutNul(byte[] note) throws IOException {
    return TarFields.text(note, 0, note.length);
  }

  /// `LENGTH KEY=VALUE` and a line break, again and again.
  private static void pax(byte[] note, Map<String, String> notes) throws IOException {
    int at = 0;
    while (at < note.length) {
      int blank = at;
      while (blank < note.length && note[blank] != ' ') {
        blank++;
      }
      long length = number(TarFields.text(note, at, blank - at));
      if (length < blank - at + 3 || length > note.length - at) {
        throw new IOException("the archive has a malformed record");
      }
      String record =
          TarFields.decoded(java.util.Arrays.copyOfRange(note, blank + 1, at + (int) length - 1));
      int equals = record.indexOf('=');
      if (equals > 0 && KNOWN.contains(record.substring(0, equals))) {
        notes.put(record.substring(0, equals), record.substring(equals + 1));
      }
      at += (int) length;
    }
  }

  private static long number(String digits) throws IOException {
    try {
      long number = Long.parseLong(digits);
      if (number >= 0 && number <= LARGEST_FILE) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new IOException("the archive has `" + digits + "` where a number belongs");
  }

  private static void check(byte[] block) throws IOException {
    if (block.length < TarFields.BLOCK) {
      throw cut();
    }
    if (TarFields.number(block, TarFields.CHECKSUM, 8) != TarFields.checksum(block)) {
      throw new IOException("this is no tar archive, or a broken one");
    }
  }

  private static boolean blank(byte[] block) {
    for (byte b : block) {
      if (b != 0) {
        return false;
      }
    }
    return block.length == TarFields.BLOCK;
  }

  private static IOException cut() {
    return new EOFException("the archive ends in the middle");
  }
}
