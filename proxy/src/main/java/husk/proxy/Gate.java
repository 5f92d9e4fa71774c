package husk.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Supplier;

/// Decides what may pass: first by what is asked for, then, for what may be asked, by the addresses
/// it resolves to. A name that nothing allows is not even looked up, because a question to a name
/// server can carry secrets too.
final class Gate {
  private final Supplier<EgressPolicy> policy;
  private final Resolver resolver;
  private final SpecialAddresses special;
  private final String sandbox;

  Gate(Supplier<EgressPolicy> policy, Resolver resolver, SpecialAddresses special, String sandbox) {
    this.policy = policy;
    this.resolver = resolver;
    this.special = special;
    this.sandbox = sandbox;
  }

  /// The rule that allows it; what it resolves to is another matter.
  String ask(Access access) throws Refusal {
    return ask(policy.get(), access);
  }

  private String ask(EgressPolicy now, Access access) throws Refusal {
    return switch (now.verdict(access)) {
      case Verdict.Allowed(var rule) -> rule;
      case Verdict.Refused(var reason, var rule) -> throw refusal(access, reason, rule);
    };
  }

  List<InetAddress> resolve(Access access) throws Refusal, InterruptedException {
    return switch (access.host()) {
      case Host.Address(var address) -> List.of(address);
      case Host.Name(var name) -> lookUp(name);
    };
  }

  private List<InetAddress> lookUp(String name) throws Refusal, InterruptedException {
    try {
      var found = resolver.resolve(name);
      if (found.isEmpty()) {
        throw new UnknownHostException("the name has no address");
      }
      // Made anew, without the zones and names that addresses may carry.
      return found.stream().map(it -> HostText.of(it.getAddress())).distinct().toList();
    } catch (UnknownHostException e) {
      throw new Refusal(
          Reason.UNRESOLVED, "", "cannot resolve %s: %s".formatted(name, e.getMessage()), "");
    }
  }

  /// One bad address spoils the whole answer: that is what an answer made to lead astray looks
  /// like.
  ///
  /// @return the rule that allows it under the policy of this moment
  String check(Way way) throws Refusal {
    var now = policy.get();
    var rule = ask(now, way.access());
    for (var address : way.addresses()) {
      var denial = now.denial(way.access(), address);
      if (denial.isPresent()) {
        throw refusal(way.access(), Reason.DENIED, denial.get().text());
      }
      checkPublic(now, way.access(), address);
    }
    return rule;
  }

  private void checkPublic(EgressPolicy now, Access access, InetAddress address) throws Refusal {
    if (now.lists(access, address)) {
      return;
    }
    var kind = special.kind(address);
    if (kind.isPresent()) {
      throw notPublic(access, address, kind.get());
    }
  }

  /// What TLS asks for inside a tunnel. To a name, it must be allowed like the name itself; to an
  /// address, which was allowed for its own sake, it must not be denied.
  void checkInside(Access tunnel, Host inside) throws Refusal {
    var access = tunnel.to(inside);
    var verdict = policy.get().verdict(access);
    if (verdict instanceof Verdict.Refused(var reason, var rule)
        && (tunnel.host() instanceof Host.Name || reason == Reason.DENIED)) {
      throw new Refusal(
          Reason.OTHER_HOST_INSIDE,
          rule,
          "this sandbox may not reach %s through a tunnel to %s"
              .formatted(access.place(), tunnel.place()),
          "");
    }
  }

  private Refusal refusal(Access access, Reason reason, String rule) {
    var isDenied = reason == Reason.DENIED;
    var why = isDenied ? "the rule '%s' denies it".formatted(rule) : "no rule allows it";
    var remedy =
        isDenied
            ? "Only removing that rule from the sandbox's policy would allow it."
            : "To allow it: husk sandbox allow %s %s".formatted(sandbox, access.place());
    return new Refusal(reason, rule, mayNotReach(access, why), remedy);
  }

  private Refusal notPublic(Access access, InetAddress address, String kind) {
    var place = access.to(new Host.Address(address)).place();
    var why = "%s is %s, and no rule names that address".formatted(address.getHostAddress(), kind);
    return new Refusal(
        Reason.ADDRESS_NOT_PUBLIC,
        "",
        mayNotReach(access, why),
        "A rule for a name does not open such an address. To allow it: husk sandbox allow %s %s"
            .formatted(sandbox, place));
  }

  private static String mayNotReach(Access access, String why) {
    var what = access.method().map(method -> method + " ").orElse("") + access.place();
    var path = access.path().map(RequestPath::plain).orElse("");
    return "this sandbox may not reach %s%s (%s)".formatted(what, Printable.text(path, 200), why);
  }
}
