package husk.agent;

import husk.spi.FileEntry;
import husk.spi.SandboxFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The files of a sandbox, through its agent.
final class AgentFiles implements SandboxFiles {
  private final Path socket;

  AgentFiles(Path socket) {
    this.socket = socket;
  }

  @Override
  public InputStream read(String path) throws IOException {
    var line = Line.ask(socket, Fields.operation("read").add("path", path));
    try {
      line.answer();
      return new DataInput(line);
    } catch (IOException | RuntimeException e) {
      line.close();
      throw e;
    }
  }

  @Override
  public void write(String path, int mode, InputStream contents) throws IOException {
    send(
        Fields.operation("write").add("path", path).add("mode", Integer.toOctalString(mode)),
        contents);
  }

  @Override
  public List<FileEntry> list(String path) throws IOException {
    try (var line = Line.ask(socket, Fields.operation("list").add("path", path))) {
      var entries = new ArrayList<FileEntry>();
      for (var frame = line.receive(); frame.kind() != Frame.END; frame = line.receive()) {
        if (frame.kind() == Frame.PROBLEM) {
          throw AgentProblems.of(Line.fields(frame));
        }
        entries.add(entry(Line.fields(frame)));
      }
      return entries;
    }
  }

  @Override
  public FileEntry stat(String path) throws IOException {
    return entry(ask(Fields.operation("stat").add("path", path)));
  }

  private static FileEntry entry(Fields fields) {
    return new FileEntry(
        fields.text("name"),
        kind(fields.text("type")),
        fields.number("size"),
        mode(fields.text("mode")),
        Instant.ofEpochMilli(fields.number("mtime_ms")),
        fields.find("target"));
  }

  private static FileEntry.Kind kind(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "file" -> FileEntry.Kind.FILE;
      case "directory" -> FileEntry.Kind.DIRECTORY;
      case "symlink" -> FileEntry.Kind.SYMLINK;
      default -> FileEntry.Kind.OTHER;
    };
  }

  private static int mode(String octal) {
    try {
      return Integer.parseInt(octal, 8) & 07777;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  @Override
  public void makeDirectory(String path, boolean parents) throws IOException {
    ask(Fields.operation("mkdir").add("path", path).flag("parents", parents));
  }

  @Override
  public void remove(String path, boolean recursive) throws IOException {
    ask(Fields.operation("remove").add("path", path).flag("recursive", recursive));
  }

  @Override
  public void emptyBut(String path, List<String> names) throws IOException {
    var request = Fields.operation("empty").add("path", path);
    names.forEach(name -> request.add("without", name));
    ask(request);
  }

  @Override
  public void move(String from, String to) throws IOException {
    ask(Fields.operation("move").add("from", from).add("to", to));
  }

  @Override
  public void pack(String path, OutputStream out) throws IOException {
    packWithout(path, List.of(), out);
  }

  @Override
  public void packWithout(String path, List<String> names, OutputStream out) throws IOException {
    var request = Fields.operation("pack").add("path", path);
    names.forEach(name -> request.add("without", name));
    var line = Line.ask(socket, request);
    try (var data = new DataInput(line)) {
      data.transferTo(out);
    }
  }

  @Override
  public void unpack(String path, InputStream tar) throws IOException {
    send(Fields.operation("unpack").add("path", path), tar);
  }

  /// Sends what the stream gives, and waits until all of it is in place.
  private void send(Fields request, InputStream contents) throws IOException {
    try (var line = Line.ask(socket, request)) {
      var buffer = new byte[Frame.DATA];
      for (int read = contents.read(buffer); read >= 0; read = contents.read(buffer)) {
        pass(line, buffer, read);
      }
      line.send(Frame.END, new byte[0]);
      line.answer();
    }
  }

  private static void pass(Line line, byte[] buffer, int length) throws IOException {
    try {
      line.send(Frame.DATA_PIECE, buffer, 0, length);
    } catch (IOException closed) {
      // The agent may have said why before it closed its end.
      throw reason(line, closed);
    }
  }

  private static IOException reason(Line line, IOException sending) {
    try {
      line.answer();
    } catch (IOException nothingSaid) {
      sending.addSuppressed(nothingSaid);
    }
    return sending;
  }

  private Fields ask(Fields request) throws IOException {
    try (var line = Line.ask(socket, request)) {
      return line.answer();
    }
  }
}
