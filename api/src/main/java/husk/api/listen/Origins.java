package husk.api.listen;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Under which names a server may be called, and from which web pages.
final class Origins {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String host;
  private final List<String> allowed;

  Origins(String host, List<String> allowed) {
    this.host = host.toLowerCase(Locale.ROOT);
    this.allowed = allowed;
  }

  /// Whether the `Host` of a request names this server on loopback, rather than a name that
  /// somebody had resolve to it.
  boolean mayBeNamed(String hostHeader) {
    var name = withoutPort(hostHeader).toLowerCase(Locale.ROOT);
    return LOOPBACK.contains(name)
        || name.endsWith(".localhost")
        || name.equals(host)
        || (name.startsWith("127.") && name.matches("[0-9.]+"));
  }

  /// Whether a web page of `origin` may call: the server's own pages, and those that were allowed.
  boolean mayCall(String origin, String hostHeader) {
    return isAllowed(origin) || authority(origin).equalsIgnoreCase(hostHeader);
  }

  boolean isAllowed(String origin) {
    return allowed.contains(origin) || allowed.contains("*");
  }

  private static String authority(String origin) {
    try {
      var authority = new URI(origin).getAuthority();
      return authority == null ? "" : authority;
    } catch (URISyntaxException e) {
      return "";
    }
  }

  private static String withoutPort(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
  }
}
