package husk.proxy;

import java.net.InetAddress;
import java.util.List;

/// A request that was let through, and the addresses it may go to.
record Way(Access access, List<InetAddress> addresses) {
  Way {
    addresses = List.copyOf(addresses);
  }
}
