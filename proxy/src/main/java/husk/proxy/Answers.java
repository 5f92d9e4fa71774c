package husk.proxy;

import java.nio.charset.StandardCharsets;

/// What the proxy itself says to HTTP clients. Many show only the status line, so the reason stands
/// there too: an agent must not take a policy for a fault of the network.
final class Answers {
  static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

  private Answers() {}

  static String refusal(Refusal refusal) {
    var body = body(refusal);
    var reason = refusal.reason();
    return "HTTP/1.1 %d Husk: %s\r\n".formatted(reason.httpStatus(), refusal.text())
        + (reason.isPolicy() ? "X-Husk-Denied: " : "X-Husk-Error: ")
        + reason.wireName()
        + "\r\nContent-Type: text/plain; charset=us-ascii\r\nConnection: close\r\n"
        + "Content-Length: %d\r\n\r\n".formatted(body.getBytes(StandardCharsets.US_ASCII).length)
        + body;
  }

  private static String body(Refusal refusal) {
    if (!refusal.reason().isPolicy()) {
      return "Husk: %s.\n".formatted(refusal.text());
    }
    return "Husk: %s. This is the sandbox's policy, not a network fault; retrying will not help. %s\n"
        .formatted(refusal.text(), refusal.remedy());
  }
}
