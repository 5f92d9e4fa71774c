package husk.proxy;

import java.net.InetAddress;

/// The part of a rule that says which hosts it is about.
public sealed interface HostPattern {

  boolean matchesName(String name);

  boolean matchesAddress(InetAddress address);

  /// `*`: every name, and every address that is public.
  record Everything() implements HostPattern {
    @Override
    public boolean matchesName(String name) {
      return true;
    }

    @Override
    public boolean matchesAddress(InetAddress address) {
      return true;
    }

    @Override
    public String toString() {
      return "*";
    }
  }

  /// One name.
  record Named(String name) implements HostPattern {
    @Override
    public boolean matchesName(String other) {
      return other.equals(name);
    }

    @Override
    public boolean matchesAddress(InetAddress address) {
      return false;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// `*.name`: every name below it, never the name itself.
  record Below(String name) implements HostPattern {
    @Override
    public boolean matchesName(String other) {
      return other.endsWith("." + name);
    }

    @Override
    public boolean matchesAddress(InetAddress address) {
      return false;
    }

    @Override
    public String toString() {
      return "*." + name;
    }
  }

  /// Addresses. It speaks of names only through what they resolve to.
  record Addresses(Cidr range) implements HostPattern {
    @Override
    public boolean matchesName(String name) {
      return false;
    }

    @Override
    public boolean matchesAddress(InetAddress address) {
      return range.contains(address);
    }

    @Override
    public String toString() {
      return range.toString();
    }
  }
}
