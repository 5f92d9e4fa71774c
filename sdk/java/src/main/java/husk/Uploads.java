package husk;

import husk.model.Problem;
import java.io.IOException;
import java.io.InputStream;

/// Bytes on their way to the daemon, of which none are kept.
final class Uploads {
  private Uploads() {}

  /// Sends all of a stream. What the daemon refuses is a problem.
  static void send(Connections connections, String method, String target, InputStream bytes)
      throws IOException {
    try (var connection = connections.fresh()) {
      var answer = connection.upload(method, target, Reply.ACCEPTED, bytes);
      new Reply(answer.status(), answer.body().readAllBytes()).throwProblem();
    } catch (Problem ended) {
      if (ended.code() == Problem.Code.NOT_FOUND_INSIDE && method.equals("POST")) {
        // As a pipe that nobody reads any more.
        throw new IOException(ended.text(), ended);
      }
      throw ended;
    }
  }
}
