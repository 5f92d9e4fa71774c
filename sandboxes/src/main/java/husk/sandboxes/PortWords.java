package husk.sandboxes;

import husk.model.Problem;
import husk.spi.PortMapping;

/// Reads `HOST:INSIDE` or `INSIDE`.
final class PortWords {
  private PortWords() {}

  static PortMapping parse(String text) {
    var parts = text.split(":", -1);
    if (parts.length > 2) {
      throw invalid(text);
    }
    int inside = number(text, parts[parts.length - 1], 1);
    return new PortMapping(parts.length == 1 ? 0 : number(text, parts[0], 0), inside);
  }

  private static int number(String text, String part, int least) {
    try {
      int port = Integer.parseInt(part);
      if (port < least || port > 65_535 || part.startsWith("+")) {
        throw invalid(text);
      }
      return port;
    } catch (NumberFormatException e) {
      throw invalid(text);
    }
  }

  private static Problem invalid(String text) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "`" + text + "` is no port to publish",
        "write HOST:INSIDE such as 8080:8000, or INSIDE for any free port of the host");
  }
}
