package husk.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;

/// Where somebody wants to go: a name that has yet to be resolved, or an address.
sealed interface Host {

  /// How it is written in a URL.
  String text();

  /// In lower case and ASCII, without a trailing dot.
  record Name(String text) implements Host {}

  record Address(InetAddress address) implements Host {
    @Override
    public String text() {
      var text = address.getHostAddress();
      return address instanceof Inet6Address ? "[" + text + "]" : text;
    }
  }
}
