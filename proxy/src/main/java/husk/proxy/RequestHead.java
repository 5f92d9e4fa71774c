package husk.proxy;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The head of a request from the sandbox.
record RequestHead(String method, String target, int minorVersion, Fields fields) {

  static RequestHead read(Peer client) throws IOException, Refusal {
    var lines = new HeadReader(client, Limits.HEAD).lines();
    if (lines.isEmpty()) {
      throw Refusal.malformed("an empty line instead of a request");
    }
    var parts = lines.getFirst().split(" ", -1);
    if (parts.length != 3 || !parts[2].matches("HTTP/1\\.[01]")) {
      throw Refusal.malformed("the request line is not 'METHOD URL HTTP/1.1'");
    }
    if (!isMethod(parts[0])) {
      throw Refusal.malformed("not a method");
    }
    return new RequestHead(parts[0], parts[1], minor(parts[2]), fields(lines));
  }

  private static boolean isMethod(String text) {
    return !text.isEmpty() && text.length() <= 32 && text.chars().allMatch(Fields::isNameCharacter);
  }

  private static int minor(String version) {
    return version.charAt(version.length() - 1) - '0';
  }

  private static Fields fields(List<String> lines) throws Refusal {
    var fields = Fields.parse(lines.subList(1, lines.size()));
    if (fields.all("host").size() > 1) {
      throw Refusal.malformed("two Host headers");
    }
    return fields;
  }

  boolean isConnect() {
    return method.equalsIgnoreCase("CONNECT");
  }

  boolean keepsConnection() {
    var wishes = new HashSet<>(fields.elements("connection"));
    wishes.addAll(fields.elements("proxy-connection"));
    return minorVersion == 0 ? wishes.contains("keep-alive") : !wishes.contains("close");
  }

  /// Whether it would become a WebSocket. Other upgrades (HTTP/2 above all) would carry requests
  /// past the rules, so they are not passed on.
  boolean wantsWebSocket() {
    return minorVersion == 1
        && method.equals("GET")
        && fields.all("content-length").isEmpty()
        && fields.all("transfer-encoding").isEmpty()
        && fields.elements("connection").contains("upgrade")
        && fields.elements("upgrade").equals(Set.of("websocket"));
  }

  /// What the server gets to see. Its connection serves this one request.
  String forServer(RequestTarget to, Framing framing) {
    var passed = fields.passedOn().without("host");
    var head = new StringBuilder(512).append(method).append(' ').append(to.forwarded());
    head.append(" HTTP/1.").append(minorVersion).append("\r\nHost: ");
    head.append(to.authority()).append("\r\n");
    passed.add("Connection", wantsWebSocket() ? "Upgrade" : "close");
    if (wantsWebSocket()) {
      passed.add("Upgrade", "websocket");
    }
    framing.addTo(passed);
    passed.writeTo(head);
    return head.append("\r\n").toString();
  }
}
