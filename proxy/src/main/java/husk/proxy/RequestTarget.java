package husk.proxy;

import java.util.Locale;

/// What a request asks for, taken apart: `http://host[:port]/path?query`, or `host:port` for
/// CONNECT.
///
/// @param forwarded path and query as the server gets them
record RequestTarget(Host host, int port, RequestPath path, String forwarded) {
  private static final String SCHEME = "http://";
  private static final int HTTP_PORT = 80;

  /// For CONNECT, where a port must stand.
  record Authority(Host host, int port) {}

  static RequestTarget absolute(String target) throws Refusal {
    checkCharacters(target);
    if (!target.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      throw Refusal.malformed(
          "this is a proxy; it takes http:// URLs, and CONNECT for everything else");
    }
    var rest = target.substring(SCHEME.length());
    int end = endOfAuthority(rest);
    var authority = authority(rest.substring(0, end), HTTP_PORT);
    int query = rest.indexOf('?') < 0 ? rest.length() : rest.indexOf('?');
    var path = RequestPath.parse(end == query ? "/" : rest.substring(end, query));
    return new RequestTarget(
        authority.host(), authority.port(), path, path.forwarded() + rest.substring(query));
  }

  static Authority connect(String target) throws Refusal {
    checkCharacters(target);
    return authority(target, 0);
  }

  /// What belongs into the `Host` header.
  String authority() {
    return port == HTTP_PORT ? host.text() : host.text() + ":" + port;
  }

  private static void checkCharacters(String target) throws Refusal {
    if (!target.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw Refusal.malformed("a URL consists of printable ASCII");
    }
    if (target.indexOf('#') >= 0) {
      throw Refusal.malformed("a fragment in the URL");
    }
  }

  private static int endOfAuthority(String rest) {
    int slash = rest.indexOf('/') < 0 ? rest.length() : rest.indexOf('/');
    int query = rest.indexOf('?') < 0 ? rest.length() : rest.indexOf('?');
    return Math.min(slash, query);
  }

  /// @param defaultPort 0 if there must be one
  private static Authority authority(String text, int defaultPort) throws Refusal {
    if (text.indexOf('@') >= 0) {
      throw Refusal.malformed("a user name in the URL");
    }
    int colon = text.lastIndexOf(':');
    if (colon < text.lastIndexOf(']') || colon < 0) {
      return withPort(HostText.inUrl(text), defaultPort);
    }
    return withPort(HostText.inUrl(text.substring(0, colon)), port(text.substring(colon + 1)));
  }

  private static Authority withPort(Host host, int port) throws Refusal {
    if (port == 0) {
      throw Refusal.malformed("CONNECT needs a port");
    }
    return new Authority(host, port);
  }

  private static int port(String text) throws Refusal {
    if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > 65535) {
      throw Refusal.malformed("a port is a number from 1 to 65535");
    }
    return Integer.parseInt(text);
  }
}
