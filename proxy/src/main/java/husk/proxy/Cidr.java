package husk.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;

/// A range of addresses: those that share the first bits of `base`. One address is a range of one.
public record Cidr(InetAddress base, int bits) {

  public Cidr {
    if (bits < 0 || bits > width(base)) {
      throw new IllegalArgumentException(
          "/%d is not between /0 and /%d".formatted(bits, width(base)));
    }
    if (!base.equals(first(base, bits))) {
      throw new IllegalArgumentException(
          "%s/%d has bits set after the first %d; the range is %s/%d"
              .formatted(text(base), bits, bits, text(first(base, bits)), bits));
    }
  }

  static Cidr only(InetAddress address) {
    return new Cidr(address, width(address));
  }

  /// From text that is known to be right.
  static Cidr of(String text) {
    int slash = text.indexOf('/');
    var base = InetAddress.ofLiteral(text.substring(0, slash));
    return new Cidr(base, Integer.parseInt(text.substring(slash + 1)));
  }

  public boolean contains(InetAddress address) {
    return width(address) == width(base) && first(address, bits).equals(base);
  }

  /// Whether all of another range is in this one.
  boolean covers(Cidr other) {
    return bits <= other.bits && contains(other.base);
  }

  /// Whether they have an address in common.
  boolean overlaps(Cidr other) {
    return covers(other) || other.covers(this);
  }

  boolean isV6() {
    return base instanceof Inet6Address;
  }

  @Override
  public String toString() {
    return bits == width(base) ? text(base) : text(base) + "/" + bits;
  }

  private static String text(InetAddress address) {
    return address.getHostAddress();
  }

  private static int width(InetAddress address) {
    return address.getAddress().length * 8;
  }

  private static InetAddress first(InetAddress address, int bits) {
    var bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(bits - i * 8L, 0, 8);
      bytes[i] = (byte) (bytes[i] & (0xff00 >> kept));
    }
    return HostText.of(bytes);
  }
}
