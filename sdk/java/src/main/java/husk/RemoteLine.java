package husk;

import husk.local.Frame;
import husk.local.Frames;
import husk.local.UnixHttp;
import husk.wire.Json;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/// A streamed answer of the daemon, begun with the id by which further requests reach its input.
final class RemoteLine implements AutoCloseable {
  private static final Map<String, String> STREAMED = Map.of("Accept", Frames.MEDIA_TYPE);

  private final UnixHttp connection;
  private final InputStream frames;
  private final String id;

  private RemoteLine(UnixHttp connection, InputStream frames) throws IOException {
    this.connection = connection;
    this.frames = frames;
    this.id = Json.tree(next().bytes()).path("id").asString("");
  }

  static RemoteLine open(Connections connections, String method, String target, byte[] body)
      throws IOException {
    var connection = connections.fresh();
    try {
      var answer = connection.request(method, target, STREAMED, body);
      if (answer.failed()) {
        throw Problems.read(answer.body().readAllBytes());
      }
      return new RemoteLine(connection, answer.body());
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  String id() {
    return id;
  }

  /// The next frame that says something.
  Frame next() throws IOException {
    while (true) {
      var frame =
          Frames.read(frames)
              .orElseThrow(() -> new EOFException("the daemon stopped in the middle of it"));
      if (frame.kind() != Frame.Kind.HEARTBEAT) {
        return frame;
      }
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException _) {
      // It is closed either way.
    }
  }
}
