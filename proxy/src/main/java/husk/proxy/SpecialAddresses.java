package husk.proxy;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The addresses that are no part of the public Internet: this machine, its neighbours, the cloud's
/// metadata service, and ranges nobody should connect to.
final class SpecialAddresses {
  private static final Cidr GLOBAL_UNICAST = Cidr.of("2000::/3");
  private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");
  private static final Cidr SIX_TO_FOUR = Cidr.of("2002::/16");
  private static final Map<Cidr, String> RANGES = ranges();

  private final Supplier<Set<InetAddress>> own;

  /// @param own the addresses of this machine, asked for each time because they change
  SpecialAddresses(Supplier<Set<InetAddress>> own) {
    this.own = own;
  }

  static SpecialAddresses ofThisMachine() {
    return new SpecialAddresses(SpecialAddresses::interfaceAddresses);
  }

  /// What is special about an address, in words; empty if it is public.
  Optional<String> kind(InetAddress address) {
    var listed = listed(address).or(() -> Embedded.v4(address).flatMap(this::kind));
    if (listed.isPresent()) {
      return listed;
    }
    return own.get().contains(address)
        ? Optional.of("an address of this machine")
        : Optional.empty();
  }

  /// Whether any address of a range is special.
  boolean any(Cidr range) {
    return RANGES.keySet().stream().anyMatch(range::overlaps)
        || own.get().stream().anyMatch(range::contains)
        || (range.isV6() && !isPlainV6(range));
  }

  /// Public, and no IPv4 address in disguise.
  private static boolean isPlainV6(Cidr range) {
    return GLOBAL_UNICAST.covers(range) && !range.overlaps(SIX_TO_FOUR);
  }

  private static Optional<String> listed(InetAddress address) {
    for (var range : RANGES.entrySet()) {
      if (range.getKey().contains(address)) {
        return Optional.of(range.getValue());
      }
    }
    var isReserved =
        address.getAddress().length == 16
            && !GLOBAL_UNICAST.contains(address)
            && !NAT64.contains(address);
    return isReserved ? Optional.of("a reserved address") : Optional.empty();
  }

  private static Set<InetAddress> interfaceAddresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(address -> HostText.of(address.getAddress()))
          .collect(Collectors.toSet());
    } catch (SocketException _) {
      return Set.of(); // a machine without interfaces has nothing to connect with either
    }
  }

  private static Map<Cidr, String> ranges() {
    var ranges = new LinkedHashMap<Cidr, String>();
    put(ranges, "a loopback address", "127.0.0.0/8", "::1/128");
    put(ranges, "an unspecified address", "0.0.0.0/8", "::/128");
    put(ranges, "a private address", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7");
    put(ranges, "a link-local address", "169.254.0.0/16", "fe80::/10", "fec0::/10");
    put(ranges, "a carrier's private address", "100.64.0.0/10");
    put(ranges, "a multicast address", "224.0.0.0/4", "ff00::/8");
    put(ranges, "a reserved address", "240.0.0.0/4", "192.0.0.0/24", "192.88.99.0/24");
    put(ranges, "a reserved address", "2001::/23");
    put(ranges, "an address for documentation", "192.0.2.0/24", "198.51.100.0/24");
    put(ranges, "an address for documentation", "203.0.113.0/24", "2001:db8::/32", "3fff::/20");
    put(ranges, "an address for benchmarks", "198.18.0.0/15");
    // The one service of this kind whose address is out of a public range; Azure's.
    put(ranges, "a cloud's metadata address", "168.63.129.16/32");
    return ranges;
  }

  private static void put(Map<Cidr, String> ranges, String kind, String... texts) {
    for (var text : texts) {
      ranges.put(Cidr.of(text), kind);
    }
  }
}
