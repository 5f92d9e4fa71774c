package husk;

import husk.local.HttpAnswer;
import husk.local.UnixHttp;
import husk.spi.FileEntry;
import husk.spi.SandboxFiles;
import husk.wire.Json;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The files of a sandbox of the daemon.
final class RemoteFiles implements SandboxFiles {
  private static final Map<String, String> ANY = Map.of("Accept", "*/*");

  private final Connections connections;
  private final String base;

  RemoteFiles(Connections connections, String base) {
    this.connections = connections;
    this.base = base;
  }

  private String at(String what, String path) {
    return base + what + "?path=" + UnixHttp.segment(path);
  }

  @Override
  public InputStream read(String path) throws IOException {
    return open(at("content", path));
  }

  private InputStream open(String target) throws IOException {
    var connection = connections.fresh();
    try {
      HttpAnswer answer = connection.request("GET", target, ANY);
      if (answer.failed()) {
        throw Problems.read(answer.body().readAllBytes());
      }
      return new Download(answer.body(), connection);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /// A body whose connection is of no use to anybody else.
  private static final class Download extends FilterInputStream {
    private final UnixHttp connection;

    Download(InputStream body, UnixHttp connection) {
      super(body);
      this.connection = connection;
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }

  @Override
  public void write(String path, int mode, InputStream contents) throws IOException {
    var target = at("content", path) + "&mode=" + Integer.toOctalString(mode);
    Uploads.send(connections, "PUT", target, contents);
  }

  private record Listed(List<Shown> entries) {}

  private record Shown(
      String name,
      String type,
      long size,
      String mode,
      Instant modifiedAt,
      Optional<String> target) {
    FileEntry entry() {
      var kind = FileEntry.Kind.valueOf(type.toUpperCase(Locale.ROOT));
      return new FileEntry(name, kind, size, Integer.parseInt(mode, 8), modifiedAt, target);
    }
  }

  @Override
  public List<FileEntry> list(String path) {
    var listed = connections.ask("GET", at("entries", path), Bodies.NONE).as(Listed.class);
    return listed.entries().stream().map(Shown::entry).toList();
  }

  @Override
  public FileEntry stat(String path) {
    return connections.ask("GET", at("entry", path), Bodies.NONE).as(Shown.class).entry();
  }

  @Override
  public void makeDirectory(String path, boolean parents) {
    tell("POST", base + "directories", Map.of("path", path, "parents", parents));
  }

  @Override
  public void remove(String path, boolean recursive) {
    connections
        .askOnce("DELETE", at("entry", path) + "&recursive=" + recursive, Bodies.NONE)
        .throwProblem();
  }

  @Override
  public void move(String from, String to) {
    tell("POST", base + "move", Map.of("from", from, "to", to));
  }

  private void tell(String method, String target, Map<String, Object> body) {
    connections.askOnce(method, target, Json.bytes(body)).throwProblem();
  }

  @Override
  public void pack(String path, OutputStream out) throws IOException {
    try (var tar = open(at("tar", path))) {
      tar.transferTo(out);
    }
  }

  @Override
  public void unpack(String path, InputStream tar) throws IOException {
    Uploads.send(connections, "PUT", at("tar", path), tar);
  }
}
