package husk.sandboxes.trees;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;

/// Indexes on disk. One appears whole or not at all, and a snapshot without one is incomplete.
///
/// Not forced to the disk: what it serves does not survive the machine either, and a file that a
/// power cut left short is refused.
final class IndexFile {
  private static final int MAGIC = 0x4875_7401;
  private static final int END = 0x656e_6401;
  private static final int BUFFER = 64 * 1024;

  private IndexFile() {}

  static void write(Path file, Index index) throws IOException {
    var temporary = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".new");
    try {
      try (var out =
          new DataOutputStream(
              new BufferedOutputStream(Files.newOutputStream(temporary), BUFFER))) {
        out.writeInt(MAGIC);
        writeEntry(out, index.root());
        out.writeInt(END);
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  static Index read(Path file) throws IOException {
    try (var in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
      expect(in.readInt() == MAGIC, file);
      var root = readEntry(in);
      expect(in.readInt() == END, file);
      if (root instanceof Entry.Folder folder) {
        return new Index(folder);
      }
      throw new IOException(file + " does not begin with a folder");
    }
  }

  private static void expect(boolean fine, Path file) throws IOException {
    if (!fine) {
      throw new IOException(file + " is damaged, or was written by another version");
    }
  }

  private static void writeEntry(DataOutputStream out, Entry entry) throws IOException {
    switch (entry) {
      case Entry.File(var attributes, var settled) -> {
        out.writeByte(settled ? 'f' : 'u');
        writeAttributes(out, attributes);
      }
      case Entry.Link(var attributes) -> {
        out.writeByte('l');
        writeAttributes(out, attributes);
      }
      case Entry.Skipped(var why) -> {
        out.writeByte('s');
        out.writeUTF(why);
      }
      case Entry.Folder(var attributes, var children) -> {
        out.writeByte('d');
        writeAttributes(out, attributes);
        writeChildren(out, children);
      }
    }
  }

  private static void writeChildren(DataOutputStream out, Map<String, Entry> children)
      throws IOException {
    out.writeInt(children.size());
    for (var child : children.entrySet()) {
      out.writeUTF(child.getKey());
      writeEntry(out, child.getValue());
    }
  }

  private static Entry readEntry(DataInputStream in) throws IOException {
    var kind = in.readByte();
    return switch (kind) {
      case 'f', 'u' -> new Entry.File(readAttributes(in), kind == 'f');
      case 'l' -> new Entry.Link(readAttributes(in));
      case 's' -> new Entry.Skipped(in.readUTF());
      case 'd' -> new Entry.Folder(readAttributes(in), readChildren(in));
      default -> throw new IOException("an index has an entry of unknown kind " + kind);
    };
  }

  private static Map<String, Entry> readChildren(DataInputStream in) throws IOException {
    var count = in.readInt();
    var children = new HashMap<String, Entry>();
    for (var i = 0; i < count; i++) {
      children.put(in.readUTF(), readEntry(in));
    }
    return children;
  }

  private static void writeAttributes(DataOutputStream out, Attributes a) throws IOException {
    out.writeLong(a.dev());
    out.writeLong(a.ino());
    out.writeLong(a.size());
    out.writeLong(a.mtime());
    out.writeLong(a.ctime());
    out.writeInt(a.mode());
    out.writeInt(a.uid());
    out.writeInt(a.gid());
    out.writeInt(a.nlink());
  }

  private static Attributes readAttributes(DataInputStream in) throws IOException {
    return new Attributes(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt());
  }
}
