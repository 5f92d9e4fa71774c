package husk;

import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// An answer of the daemon, read whole.
final class Reply {
  static final Map<String, String> ACCEPTED = Map.of("Accept", "application/json");

  private final int status;
  private final byte[] body;

  Reply(int status, byte[] body) {
    this.status = status;
    this.body = body;
  }

  int status() {
    return status;
  }

  /// The answer, or the problem that it reports.
  <T> T as(Class<T> type) {
    throwProblem();
    return Json.read(body, type);
  }

  String text() {
    throwProblem();
    return new String(body, StandardCharsets.UTF_8);
  }

  void throwProblem() {
    if (status >= 400) {
      throw Problems.read(body);
    }
  }
}
