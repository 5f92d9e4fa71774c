package husk.cli;

import husk.cli.tar.FolderArchive;
import husk.cli.tar.Piped;
import husk.model.Problem;
import husk.spi.FileEntry;
import husk.spi.SandboxFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Copies from the host into a sandbox.
final class CopyIn {
  private static final int ORDINARY = 0644;

  private final SandboxFiles files;
  private final Terminal terminal;

  CopyIn(SandboxFiles files, Terminal terminal) {
    this.files = files;
    this.terminal = terminal;
  }

  /// Gives the number of bytes copied.
  long copy(SandboxPath from, SandboxPath to) throws IOException {
    if (from.isStream()) {
      return write(to, ORDINARY, new CountedInput(terminal.in()));
    }
    var source = Path.of(Creation.absolute(from.path(), terminal));
    if (Files.isDirectory(source)) {
      return folder(source, isFolder(files, to) ? to.child(from.lastName()) : to);
    }
    if (!Files.exists(source)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST, "there is no file or folder `" + from.path() + "`");
    }
    int mode = Files.getAttribute(source, "unix:mode") instanceof Integer bits ? bits : ORDINARY;
    var target = isFolder(files, to) ? to.child(from.lastName()) : to;
    try (var in = new CountedInput(Files.newInputStream(source))) {
      return write(target, mode & 0777, in);
    }
  }

  private long write(SandboxPath to, int mode, CountedInput in) throws IOException {
    files.write(to.path(), mode, in);
    return in.count();
  }

  private long folder(Path source, SandboxPath to) throws IOException {
    files.makeDirectory(to.path(), true);
    var archive = new FolderArchive(source);
    try (var in = Piped.of(archive)) {
      files.unpack(to.path(), in);
    }
    return archive.bytes();
  }

  /// Also through links.
  static boolean isFolder(SandboxFiles files, SandboxPath path) throws IOException {
    try {
      return files.stat(path.path() + "/.").kind() == FileEntry.Kind.DIRECTORY;
    } catch (Problem problem) {
      if (path.endsAsFolder()) {
        throw problem;
      }
      return false;
    }
  }
}
