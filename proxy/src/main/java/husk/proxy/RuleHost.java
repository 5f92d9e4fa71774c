package husk.proxy;

import java.net.IDN;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/// The host of a rule, and what follows it.
final class RuleHost {
  private static final Pattern BITS = Pattern.compile("/([0-9]{1,3})(?=$|:)");

  private final boolean hasScheme;
  private String rest;

  /// @param hasScheme then it is a URL, in which a number after the host is a path
  RuleHost(String text, boolean hasScheme) {
    this.rest = text;
    this.hasScheme = hasScheme;
  }

  String rest() {
    return rest;
  }

  HostPattern host() throws Refusal {
    if (rest.startsWith("[")) {
      return inBrackets();
    }
    if (!hasScheme && rest.matches("[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(/[0-9]+)?")) {
      return range(HostText.v6(take(until("/"))));
    }
    return byName(take(until(":/")));
  }

  private HostPattern inBrackets() throws Refusal {
    int end = rest.indexOf(']');
    if (end < 0) {
      throw new IllegalArgumentException("a bracket is not closed");
    }
    var inside = new RuleHost(rest.substring(1, end), false);
    var address = HostText.v6(inside.take(inside.until("/")));
    rest = rest.substring(end + 1);
    if (!rest.isEmpty() && rest.charAt(0) != ':' && rest.charAt(0) != '/') {
      throw new IllegalArgumentException("after the bracket comes a port or a path");
    }
    return inside.rest.isEmpty() ? range(address) : inside.range(address);
  }

  private HostPattern byName(String name) throws Refusal {
    if (name.equals("*")) {
      return new HostPattern.Everything();
    }
    if (name.startsWith("*.")) {
      return below(name.substring(2));
    }
    return switch (HostText.bare(ascii(name))) {
      case Host.Name(var exact) -> new HostPattern.Named(exact);
      case Host.Address(var address) -> range(address);
    };
  }

  private static HostPattern below(String name) throws Refusal {
    if (!(HostText.bare(ascii(name)) instanceof Host.Name(var base))) {
      throw new IllegalArgumentException("a star does not go with an address");
    }
    if (base.indexOf('.') < 0) {
      throw new IllegalArgumentException(
          "a star needs two names after it: *.%s is everybody's".formatted(base));
    }
    return new HostPattern.Below(base);
  }

  /// One address, or a range if a number of bits follows.
  private HostPattern range(InetAddress address) {
    var bits = BITS.matcher(rest);
    if (hasScheme || !bits.lookingAt()) {
      return new HostPattern.Addresses(Cidr.only(address));
    }
    rest = rest.substring(bits.end());
    int count = Integer.parseInt(bits.group(1));
    if (address instanceof Inet4Address && count > 32) {
      throw new IllegalArgumentException("an IPv4 range has at most 32 bits");
    }
    return new HostPattern.Addresses(new Cidr(address, count));
  }

  /// Names in other scripts become what the resolver will be asked for. What only then looks like
  /// an address was never meant as one.
  private static String ascii(String name) throws Refusal {
    var ascii = IDN.toASCII(name);
    if (!ascii.equals(name) && HostText.bare(ascii) instanceof Host.Address) {
      throw new IllegalArgumentException("an address is written in ASCII digits");
    }
    return ascii;
  }

  private int until(String delimiters) {
    for (int i = 0; i < rest.length(); i++) {
      if (delimiters.indexOf(rest.charAt(i)) >= 0) {
        return i;
      }
    }
    return rest.length();
  }

  private String take(int length) {
    var taken = rest.substring(0, length);
    rest = rest.substring(length);
    return taken;
  }
}
