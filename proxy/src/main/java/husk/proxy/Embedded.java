package husk.proxy;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// IPv4 addresses that travel inside IPv6 ones: a gateway on the way may unpack them.
final class Embedded {
  private record Form(Cidr range, int offset) {}

  private static final List<Form> FORMS =
      List.of(
          new Form(Cidr.of("::/96"), 12), // IPv4-compatible
          new Form(Cidr.of("64:ff9b::/96"), 12), // NAT64
          new Form(Cidr.of("2002::/16"), 2)); // 6to4

  private Embedded() {}

  static Optional<InetAddress> v4(InetAddress address) {
    return FORMS.stream()
        .filter(form -> form.range().contains(address))
        .findFirst()
        .map(form -> part(address, form.offset()));
  }

  private static InetAddress part(InetAddress address, int offset) {
    return HostText.of(Arrays.copyOfRange(address.getAddress(), offset, offset + 4));
  }
}
