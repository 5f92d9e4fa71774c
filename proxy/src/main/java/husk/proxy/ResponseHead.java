package husk.proxy;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/// The head of a server's response.
record ResponseHead(int status, String reason, int minorVersion, Fields fields) {
  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/1\\.([01]) ([1-5][0-9]{2})(?: (.*))?");

  static ResponseHead read(Peer server) throws IOException, Refusal {
    try {
      return parse(new HeadReader(server, Limits.HEAD).lines());
    } catch (Refusal e) {
      throw Refusal.unreachable("the server's response makes no sense: " + e.detail());
    }
  }

  private static ResponseHead parse(List<String> lines) throws Refusal {
    var match = STATUS_LINE.matcher(lines.isEmpty() ? "" : lines.getFirst());
    if (!match.matches()) {
      throw Refusal.malformed("no status line");
    }
    var reason = match.group(3) == null ? "" : match.group(3);
    int minor = Integer.parseInt(match.group(1));
    var fields = Fields.parse(lines.subList(1, lines.size()));
    return new ResponseHead(Integer.parseInt(match.group(2)), reason, minor, fields);
  }

  boolean isInterim() {
    return status < 200 && status != 101;
  }

  boolean switchesProtocol() {
    return status == 101;
  }

  /// The lengths of bodies that are not sent are kept: they are what HEAD is for.
  String forClient(Framing framing, boolean keepsConnection) {
    var passed = fields.passedOn();
    if (switchesProtocol()) {
      passed.add("Connection", "Upgrade");
      passed.add("Upgrade", "websocket");
    } else if (!isInterim()) {
      passed.add("Connection", keepsConnection ? "keep-alive" : "close");
    }
    if (framing instanceof Framing.Empty && !isInterim() && status != 204) {
      fields.all("content-length").forEach(length -> passed.add("Content-Length", length));
    }
    framing.addTo(passed);
    var head = new StringBuilder("HTTP/1.1 ").append(status).append(' ').append(reason);
    passed.writeTo(head.append("\r\n"));
    return head.append("\r\n").toString();
  }
}
