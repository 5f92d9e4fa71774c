package husk.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/// Reads the name of a host as strictly as it can be read: what two programs could understand
/// differently is refused, because one of them is this proxy and the other is the resolver.
final class HostText {
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_LABEL = 63;

  private HostText() {}

  /// A host as it stands in a URL: an IPv6 address is in brackets.
  static Host inUrl(String text) throws Refusal {
    if (text.startsWith("[") && text.endsWith("]")) {
      return new Host.Address(v6(text.substring(1, text.length() - 1)));
    }
    if (text.indexOf(':') >= 0) {
      throw Refusal.malformed("an IPv6 address belongs in brackets");
    }
    return bare(text);
  }

  /// A host that stands alone, as in SOCKS5 or in a certificate's name.
  static Host bare(String text) throws Refusal {
    if (text.indexOf(':') >= 0) {
      return new Host.Address(v6(text));
    }
    var name = name(text);
    return endsInNumber(name) ? new Host.Address(v4(name)) : new Host.Name(name);
  }

  /// Lower case, no trailing dot, labels of letters, digits, hyphens and underscores.
  private static String name(String text) throws Refusal {
    var name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw Refusal.malformed("a host name has 1 to " + LONGEST_NAME + " characters");
    }
    for (var label : name.split("\\.", -1)) {
      checkLabel(label);
    }
    return name.toLowerCase(Locale.ROOT);
  }

  private static void checkLabel(String label) throws Refusal {
    if (label.isEmpty() || label.length() > LONGEST_LABEL) {
      throw Refusal.malformed("a part of a host name is empty or longer than 63 characters");
    }
    if (!label.chars().allMatch(HostText::isNameCharacter)) {
      throw Refusal.malformed("a host name has letters, digits, hyphens and underscores only");
    }
    if (label.startsWith("-") || label.endsWith("-")) {
      throw Refusal.malformed("a part of a host name begins or ends with a hyphen");
    }
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }

  /// No top-level domain is a number, but resolvers take `127.1`, `0x7f000001` and `2130706433` for
  /// addresses.
  private static boolean endsInNumber(String name) {
    var last = name.substring(name.lastIndexOf('.') + 1);
    return last.chars().allMatch(c -> c >= '0' && c <= '9') || last.matches("0x[0-9a-f]*");
  }

  /// Four decimal numbers without leading zeros, and nothing else.
  static InetAddress v4(String text) throws Refusal {
    var parts = text.split("\\.", -1);
    var bytes = new byte[4];
    if (parts.length != bytes.length) {
      throw Refusal.malformed("an IPv4 address is written as four decimal numbers");
    }
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = octet(parts[i]);
    }
    return of(bytes);
  }

  private static byte octet(String part) throws Refusal {
    if (!part.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(part) > 255) {
      throw Refusal.malformed("an IPv4 address is four decimal numbers without leading zeros");
    }
    return (byte) Integer.parseInt(part);
  }

  /// Without a zone; an IPv4-mapped address becomes the IPv4 address that it is.
  static InetAddress v6(String text) throws Refusal {
    if (text.length() > 45 || !text.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
      throw Refusal.malformed("not an IPv6 address (zones are not accepted)");
    }
    var tail = text.substring(text.lastIndexOf(':') + 1);
    if (tail.indexOf('.') >= 0) {
      v4(tail);
    }
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException _) {
      throw Refusal.malformed("not an IPv6 address");
    }
  }

  static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes", e);
    }
  }
}
