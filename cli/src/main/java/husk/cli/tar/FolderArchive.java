package husk.cli.tar;

import husk.model.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;

/// A folder of the host as an archive. Links are kept as links; what is neither file, folder nor
/// link is refused by name, or left out if that was asked for.
public final class FolderArchive implements Piped.Source {
  private final Path folder;
  private final boolean lenient;
  private final byte[] buffer = new byte[64 * 1024];
  private long bytes;

  public FolderArchive(Path folder) {
    this(folder, false);
  }

  private FolderArchive(Path folder, boolean lenient) {
    this.folder = folder;
    this.lenient = lenient;
  }

  /// Without what no archive holds, such as pipes.
  public static FolderArchive ofWhatCanBe(Path folder) {
    return new FolderArchive(folder, true);
  }

  /// The bytes in its files, once it is written.
  public long bytes() {
    return bytes;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    var tar = new TarWriter(out);
    children(tar, folder, "");
    tar.finish();
  }

  private void children(TarWriter tar, Path parent, String prefix) throws IOException {
    var children = new ArrayList<Path>();
    try (var stream = Files.newDirectoryStream(parent)) {
      stream.forEach(children::add);
    }
    children.sort(null);
    for (var child : children) {
      put(tar, child, prefix + child.getFileName());
    }
  }

  private void put(TarWriter tar, Path path, String name) throws IOException {
    Map<String, Object> about =
        Files.readAttributes(path, "unix:mode,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
    int mode = about.get("mode") instanceof Integer bits ? bits : 0;
    long modified = Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toMillis() / 1000;
    var entry = new TarEntry(name, TarEntry.Kind.FILE, mode & 0777, 0, modified, "");
    switch (mode & 0170000) {
      case 0040000 -> {
        tar.put(with(entry.named(name + "/"), TarEntry.Kind.DIRECTORY, 0, ""));
        children(tar, path, name + "/");
      }
      case 0120000 ->
          tar.put(with(entry, TarEntry.Kind.SYMLINK, 0, Files.readSymbolicLink(path).toString()));
      case 0100000 -> file(tar, path, entry);
      default -> refuse(path);
    }
  }

  private void refuse(Path path) {
    if (!lenient) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + path + "` is neither a file nor a folder nor a link, and cannot be copied");
    }
  }

  private void file(TarWriter tar, Path path, TarEntry entry) throws IOException {
    try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      tar.put(with(entry, TarEntry.Kind.FILE, Files.size(path), ""));
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        tar.write(buffer, count);
        bytes += count;
      }
    }
  }

  private static TarEntry with(TarEntry entry, TarEntry.Kind kind, long size, String target) {
    return new TarEntry(entry.name(), kind, entry.mode(), size, entry.modified(), target);
  }
}
