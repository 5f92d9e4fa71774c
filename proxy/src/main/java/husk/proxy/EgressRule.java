package husk.proxy;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// What a policy allows or denies, as text: `[METHOD[,METHOD] ]HOST[:PORT[-PORT]][/path[*]]`.
///
/// Methods and paths can only be seen in plain HTTP; a rule that has them says nothing of tunnels.
///
/// @param methods in upper case; empty means all
public record EgressRule(
    Set<String> methods, HostPattern host, Ports ports, Optional<PathPattern> path) {

  public EgressRule {
    methods = Set.copyOf(methods);
  }

  /// Refuses, with a [husk.model.Problem] that says why, whatever is not exactly a rule.
  public static EgressRule parse(String text) {
    return new RuleParser(text).parse();
  }

  /// What [#parse] reads back to an equal rule.
  public String text() {
    var text = new StringBuilder();
    if (!methods.isEmpty()) {
      text.append(String.join(",", sorted())).append(' ');
    }
    var inBrackets = isV6() && (!ports.equals(Ports.ANY) || path.isPresent());
    text.append(inBrackets ? "[" + host + "]" : host.toString());
    return text.append(ports).append(path.map(PathPattern::toString).orElse("")).toString();
  }

  @Override
  public String toString() {
    return text();
  }

  private SortedSet<String> sorted() {
    return new TreeSet<>(methods);
  }

  private boolean isV6() {
    return host instanceof HostPattern.Addresses(Cidr range) && range.isV6();
  }

  /// Whether it names addresses, which is what it takes to open one that is not public.
  boolean isOfAddresses() {
    return host instanceof HostPattern.Addresses;
  }

  /// Whether, as a rule that allows, it opens any address that is not public.
  public boolean opensNonPublic() {
    return host instanceof HostPattern.Addresses(Cidr range)
        && SpecialAddresses.ofThisMachine().any(range);
  }

  /// As a rule that allows: a path must match in every way it can be read.
  boolean allows(Access access) {
    return matchesHost(access.host())
        && isAbout(access)
        && access.paths().allMatch(this::matchesPath);
  }

  /// As a rule that denies: it is enough that one reading of the path matches.
  boolean denies(Access access) {
    return deniesHost(access.host()) && isDeniedBesidesHost(access);
  }

  /// The same once it is known to which address `access` would go.
  boolean allowsAddress(Access access, InetAddress address) {
    return isOfAddresses()
        && host.matchesAddress(address)
        && isAbout(access)
        && access.paths().allMatch(this::matchesPath);
  }

  boolean deniesAddress(Access access, InetAddress address) {
    return isOfAddresses() && deniesAny(address) && isDeniedBesidesHost(access);
  }

  private boolean isDeniedBesidesHost(Access access) {
    return isAbout(access) && (path.isEmpty() || access.paths().anyMatch(this::matchesPath));
  }

  private boolean matchesHost(Host other) {
    return switch (other) {
      case Host.Name(var name) -> host.matchesName(name);
      case Host.Address(var address) -> host.matchesAddress(address);
    };
  }

  private boolean deniesHost(Host other) {
    return switch (other) {
      case Host.Name(var name) -> host.matchesName(name);
      case Host.Address(var address) -> deniesAny(address);
    };
  }

  /// An IPv4 address stays denied when it is dressed up as IPv6.
  private boolean deniesAny(InetAddress address) {
    return host.matchesAddress(address)
        || Embedded.v4(address).filter(host::matchesAddress).isPresent();
  }

  private boolean isAbout(Access access) {
    if (!ports.contains(access.port())) {
      return false;
    }
    if (methods.isEmpty() && path.isEmpty()) {
      return true;
    }
    return access.method().filter(this::matchesMethod).isPresent();
  }

  /// Methods differ by case in theory alone; a denied one must not pass in lower case.
  private boolean matchesMethod(String method) {
    return methods.isEmpty() || methods.contains(method.toUpperCase(Locale.ROOT));
  }

  private boolean matchesPath(String other) {
    return path.isEmpty() || path.get().matches(other);
  }
}
