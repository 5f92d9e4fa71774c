package husk.local;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The answer to one request.
///
/// @param status the HTTP status
/// @param headers by name, in any case
/// @param body to be read to its end if the connection is to be used again
public record HttpAnswer(int status, Map<String, String> headers, InputStream body) {
  private static final int MOST_HEADERS = 200;

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /// Whether the daemon reports a problem instead of doing what was asked.
  public boolean failed() {
    return status >= 400;
  }

  /// Reads one answer's head, passing over interim ones.
  static HttpAnswer read(HttpInput input) throws IOException {
    while (true) {
      int status = status(input.line());
      var headers = headers(input);
      if (status >= 200) {
        return new HttpAnswer(status, headers, body(input, status, headers));
      }
    }
  }

  private static int status(String line) throws IOException {
    boolean http = line.startsWith("HTTP/1.") && line.length() >= 12 && line.charAt(8) == ' ';
    int status = http ? (int) number(line.substring(9, 12), 10) : 0;
    if (status < 100 || (line.length() > 12 && line.charAt(12) != ' ')) {
      throw new IOException("the answer from the daemon's socket is not HTTP");
    }
    return status;
  }

  private static Map<String, String> headers(HttpInput input) throws IOException {
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    int count = 0;
    for (String line = input.line(); !line.isEmpty(); line = input.line()) {
      int colon = line.indexOf(':');
      if (colon < 1 || ++count > MOST_HEADERS) {
        throw new IOException("the daemon's answer has a malformed head");
      }
      String name = line.substring(0, colon);
      String value = line.substring(colon + 1).strip();
      String earlier = headers.put(name, value);
      if (earlier != null && !earlier.equals(value) && name.equalsIgnoreCase("Content-Length")) {
        throw new IOException("the daemon's answer has two lengths");
      }
    }
    return headers;
  }

  private static InputStream body(HttpInput input, int status, Map<String, String> headers)
      throws IOException {
    boolean staysOpen = !"close".equalsIgnoreCase(headers.get("Connection"));
    String coding = headers.get("Transfer-Encoding");
    String length = headers.get("Content-Length");
    if (status == 204 || status == 304) {
      return HttpBody.sized(input, 0, staysOpen);
    }
    if (coding != null) {
      if (!coding.equalsIgnoreCase("chunked")) {
        throw new IOException("the daemon's answer is encoded as `" + coding + "`");
      }
      return HttpBody.chunked(input, staysOpen);
    }
    return length == null
        ? HttpBody.untilClosed(input)
        : HttpBody.sized(input, number(length, 10), staysOpen);
  }

  /// A number without sign.
  static long number(String digits, int radix) throws IOException {
    try {
      if (!digits.isEmpty() && digits.charAt(0) != '-' && digits.charAt(0) != '+') {
        return Long.parseLong(digits, radix);
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new IOException("the daemon's answer has `" + digits + "` where a number belongs");
  }
}
