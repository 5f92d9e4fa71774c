package husk.proxy;

import husk.model.Problem;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// What a sandbox may reach. A rule that denies wins over one that allows; where none speaks,
/// `open` decides. Addresses that are not public need a rule that names the address, also when
/// open.
public record EgressPolicy(boolean open, List<EgressRule> allow, List<EgressRule> deny) {

  /// Nothing.
  public static final EgressPolicy NONE = new EgressPolicy(false, List.of(), List.of());

  /// Every public address.
  public static final EgressPolicy OPEN = new EgressPolicy(true, List.of(), List.of());

  public EgressPolicy {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    var both = contradictions(allow, deny);
    if (!both.isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "the egress policy both allows and denies %s".formatted(both),
          "remove %s from one of the two lists".formatted(both.getFirst()));
    }
  }

  /// The rules that would be both allowed and denied.
  public static List<EgressRule> contradictions(List<EgressRule> allow, List<EgressRule> deny) {
    return allow.stream().filter(deny::contains).distinct().toList();
  }

  public EgressPolicy withOpen(boolean isOpen) {
    return new EgressPolicy(isOpen, allow, deny);
  }

  public EgressPolicy withAllowed(EgressRule rule) {
    return new EgressPolicy(open, with(allow, rule), deny);
  }

  public EgressPolicy withDenied(EgressRule rule) {
    return new EgressPolicy(open, allow, with(deny, rule));
  }

  /// Neither allowed nor denied from now on.
  public EgressPolicy without(EgressRule rule) {
    return new EgressPolicy(open, less(allow, rule), less(deny, rule));
  }

  /// What it says before anything is resolved.
  Verdict verdict(Access access) {
    return denial(access)
        .map(rule -> (Verdict) new Verdict.Refused(Reason.DENIED, rule.text()))
        .or(() -> allowance(access).map(Verdict.Allowed::new))
        .orElseGet(() -> new Verdict.Refused(Reason.NOT_ALLOWED, ""));
  }

  /// The rule that denies it by what it asks for.
  Optional<EgressRule> denial(Access access) {
    return deny.stream().filter(rule -> rule.denies(access)).findFirst();
  }

  private Optional<String> allowance(Access access) {
    var rule = allow.stream().filter(it -> it.allows(access)).findFirst().map(EgressRule::text);
    return rule.or(() -> open ? Optional.of("open") : Optional.empty());
  }

  /// The rule that denies an address to which it would go.
  Optional<EgressRule> denial(Access access, InetAddress address) {
    return deny.stream().filter(rule -> rule.deniesAddress(access, address)).findFirst();
  }

  /// Whether a rule names the address, so that it may be one that is not public.
  boolean lists(Access access, InetAddress address) {
    return allow.stream().anyMatch(rule -> rule.allowsAddress(access, address));
  }

  private static List<EgressRule> with(List<EgressRule> rules, EgressRule rule) {
    return rules.contains(rule) ? rules : Stream.concat(rules.stream(), Stream.of(rule)).toList();
  }

  private static List<EgressRule> less(List<EgressRule> rules, EgressRule rule) {
    return rules.stream().filter(it -> !Objects.equals(it, rule)).toList();
  }
}
