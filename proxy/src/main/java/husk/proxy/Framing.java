package husk.proxy;

import java.util.Locale;

/// How the end of a body is known.
sealed interface Framing {
  record Empty() implements Framing {}

  record Length(long bytes) implements Framing {}

  record Chunked() implements Framing {}

  record UntilClose() implements Framing {}

  /// Refuses whatever two servers could take for two different lengths.
  static Framing ofRequest(RequestHead head) throws Refusal {
    var framing = declared(head.fields(), head.minorVersion());
    return framing instanceof UntilClose ? new Empty() : framing;
  }

  static Framing ofResponse(ResponseHead head, String requestMethod) throws Refusal {
    var status = head.status();
    var never = status < 200 || status == 204 || status == 304;
    return never || requestMethod.equalsIgnoreCase("HEAD")
        ? new Empty()
        : declared(head.fields(), head.minorVersion());
  }

  private static Framing declared(Fields fields, int minorVersion) throws Refusal {
    var encodings = fields.all("transfer-encoding");
    var lengths = fields.all("content-length");
    if (!encodings.isEmpty()) {
      if (!lengths.isEmpty()
          || minorVersion == 0
          || encodings.size() > 1
          || !encodings.getFirst().toLowerCase(Locale.ROOT).equals("chunked")) {
        throw Refusal.malformed("a transfer encoding that is not just 'chunked'");
      }
      return new Chunked();
    }
    if (lengths.isEmpty()) {
      return new UntilClose();
    }
    if (lengths.size() > 1 || !lengths.getFirst().matches("[0-9]{1,18}")) {
      throw Refusal.malformed("a content length that is not one number");
    }
    return new Length(Long.parseLong(lengths.getFirst()));
  }

  /// The header that announces it to the next hop.
  default void addTo(Fields fields) {
    switch (this) {
      case Length(long bytes) -> fields.add("Content-Length", Long.toString(bytes));
      case Chunked() -> fields.add("Transfer-Encoding", "chunked");
      case Empty(), UntilClose() -> {}
    }
  }
}
