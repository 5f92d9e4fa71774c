package husk.proxy;

import java.util.Locale;

/// Why something was not let through, or did not arrive; with what HTTP and SOCKS5 call it.
enum Reason {
  /// No rule allows it.
  NOT_ALLOWED(403, 2),
  /// A rule forbids it.
  DENIED(403, 2),
  /// It would end at an address that is not public.
  ADDRESS_NOT_PUBLIC(403, 2),
  /// The TLS inside the tunnel asks for another host, which is not allowed.
  OTHER_HOST_INSIDE(403, 2),
  /// It was allowed, and no longer is.
  POLICY_CHANGED(403, 2),
  /// It is not what a well-behaved client sends.
  MALFORMED(400, 1),
  /// The head of a request is too large.
  TOO_LARGE(431, 1),
  /// Something this proxy does not do.
  UNSUPPORTED(400, 7),
  /// There are too many connections already.
  TOO_MANY_CONNECTIONS(503, 1),
  /// The name has no address.
  UNRESOLVED(502, 4),
  /// Nobody answers there, or not in a way that makes sense.
  UNREACHABLE(502, 5);

  private final int httpStatus;
  private final int socksReply;

  Reason(int httpStatus, int socksReply) {
    this.httpStatus = httpStatus;
    this.socksReply = socksReply;
  }

  int httpStatus() {
    return httpStatus;
  }

  int socksReply() {
    return socksReply;
  }

  /// Whether the policy said no; otherwise the request or the world was at fault.
  boolean isPolicy() {
    return httpStatus == 403;
  }

  /// Whether the sandbox was entitled to what then did not work.
  boolean wasAllowed() {
    return httpStatus == 502;
  }

  String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
