package husk.gateway;

import husk.kernels.Ansi;
import husk.model.Problem;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// How a cell ended.
sealed interface Outcome {
  record Well() implements Outcome {}

  record Raised(String ename, String evalue, List<String> traceback) implements Outcome {}

  /// It took longer than its limit, or had not even begun by then.
  record TooLate(Duration limit, boolean begun) implements Outcome {}

  /// The code may have ended well, but what it gave could not be kept.
  record Failed(Problem problem) implements Outcome {}

  static Outcome raised(String ename, String evalue) {
    return new Raised(ename, evalue, List.of());
  }

  /// From the content of an `error`, or of a reply that reports one.
  static Outcome raised(JsonNode content) {
    var lines =
        content.path("traceback").valueStream().map(it -> Ansi.strip(it.asString(""))).toList();
    return new Raised(
        content.path("ename").asString("Error"), content.path("evalue").asString(""), lines);
  }
}
