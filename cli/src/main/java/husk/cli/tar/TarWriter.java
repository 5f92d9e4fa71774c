package husk.cli.tar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Writes an archive: `ustar`, with `pax` records for what does not fit.
public final class TarWriter {
  private static final long LARGEST = 1L << 33;

  private final OutputStream out;
  private long left;
  private int padding;

  public TarWriter(OutputStream out) {
    this.out = out;
  }

  /// Begins an entry; a file's contents follow.
  public void put(TarEntry entry) throws IOException {
    requireWhole();
    var notes = new ByteArrayOutputStream();
    note(notes, "path", entry.name(), !fits(entry.name()));
    note(notes, "linkpath", entry.target(), !fits(entry.target()));
    note(notes, "size", String.valueOf(entry.size()), entry.size() >= LARGEST);
    if (notes.size() > 0) {
      header("PaxHeader", 'x', 0644, notes.size(), entry.modified(), "");
      out.write(notes.toByteArray());
      pad(notes.size());
    }
    header(
        entry.name(),
        type(entry.kind()),
        entry.mode(),
        entry.size() >= LARGEST ? 0 : entry.size(),
        entry.modified(),
        entry.target());
    left = entry.size();
    padding = (int) (-left & (TarFields.BLOCK - 1));
    endIfWhole();
  }

  public void write(byte[] bytes, int length) throws IOException {
    if (length > left) {
      throw new IOException("a file grew while it was read");
    }
    out.write(bytes, 0, length);
    left -= length;
    endIfWhole();
  }

  /// Ends the archive, and leaves the stream open.
  public void finish() throws IOException {
    requireWhole();
    out.write(new byte[2 * TarFields.BLOCK]);
    out.flush();
  }

  private void requireWhole() throws IOException {
    if (left > 0) {
      throw new IOException("a file shrank while it was read");
    }
  }

  private void endIfWhole() throws IOException {
    if (left == 0) {
      out.write(new byte[padding]);
      padding = 0;
    }
  }

  private void pad(int length) throws IOException {
    out.write(new byte[-length & (TarFields.BLOCK - 1)]);
  }

  private static boolean fits(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= 100 && bytes.length == text.length();
  }

  /// A record's length counts its own digits too.
  private static void note(ByteArrayOutputStream notes, String key, String value, boolean needed) {
    if (!needed) {
      return;
    }
    byte[] rest = (" " + key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8);
    int length = rest.length + 1;
    while (String.valueOf(length).length() + rest.length != length) {
      length++;
    }
    notes.writeBytes(String.valueOf(length).getBytes(StandardCharsets.UTF_8));
    notes.writeBytes(rest);
  }

  private void header(String name, char type, int mode, long size, long modified, String target)
      throws IOException {
    byte[] block = new byte[TarFields.BLOCK];
    text(block, 0, name);
    octal(block, 100, 8, mode);
    octal(block, 108, 8, 0);
    octal(block, 116, 8, 0);
    octal(block, 124, 12, size);
    octal(block, 136, 12, Math.clamp(modified, 0, LARGEST - 1));
    block[156] = (byte) type;
    text(block, 157, target);
    text(block, 257, "ustar\0" + "00");
    octal(block, TarFields.CHECKSUM, 7, TarFields.checksum(block));
    block[TarFields.CHECKSUM + 7] = ' ';
    out.write(block);
  }

  private static void text(byte[] block, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, block, at, Math.min(bytes.length, 100));
  }

  private static void octal(byte[] block, int at, int length, long number) {
    long rest = number;
    for (int i = at + length - 2; i >= at; i--) {
      block[i] = (byte) ('0' + (rest & 7));
      rest >>= 3;
    }
  }

  private static char type(TarEntry.Kind kind) throws IOException {
    return switch (kind) {
      case FILE -> '0';
      case HARD_LINK -> '1';
      case SYMLINK -> '2';
      case DIRECTORY -> '5';
      case OTHER -> throw new IOException("only files, folders and links can be archived");
    };
  }
}
