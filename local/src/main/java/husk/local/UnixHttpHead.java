package husk.local;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The head of a request.
final class UnixHttpHead {
  private UnixHttpHead() {}

  /// For a body of JSON, or none.
  static byte[] sized(String method, String target, Map<String, String> headers, int length) {
    var head = begin(method, target, headers);
    if (length > 0) {
      head.append("Content-Type: application/json\r\n");
    }
    return end(head.append("Content-Length: ").append(length));
  }

  /// For bytes whose number is not known yet.
  static byte[] chunked(String method, String target, Map<String, String> headers) {
    var head = begin(method, target, headers).append("Content-Type: application/octet-stream\r\n");
    return end(head.append("Transfer-Encoding: chunked"));
  }

  private static StringBuilder begin(String method, String target, Map<String, String> headers) {
    var head = new StringBuilder(256).append(clean(method)).append(' ').append(clean(target));
    head.append(" HTTP/1.1\r\nHost: localhost\r\n");
    for (var header : headers.entrySet()) {
      head.append(clean(header.getKey())).append(": ").append(clean(header.getValue()));
      head.append("\r\n");
    }
    return head;
  }

  private static byte[] end(StringBuilder head) {
    return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  /// Refuses what would end a line and begin another header.
  private static String clean(String text) {
    if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("a line break in the head of a request");
    }
    return text;
  }
}
