package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EgressPolicyTest {
  private static final EgressRule EXAMPLE = EgressRule.parse("example.com");

  @Test
  void allowsNothingByItself() {
    assertThat(EgressPolicy.NONE.verdict(tunnel("example.com")))
        .isEqualTo(new Verdict.Refused(Reason.NOT_ALLOWED, ""));
  }

  @Test
  void letsADenialWinOverAnAllowance() {
    var policy = new EgressPolicy(true, Sandbox.rules("*"), Sandbox.rules("*.example.com"));
    assertThat(policy.verdict(tunnel("a.example.com")))
        .isEqualTo(new Verdict.Refused(Reason.DENIED, "*.example.com"));
    assertThat(policy.verdict(tunnel("example.com"))).isEqualTo(new Verdict.Allowed("*"));
  }

  @Test
  void saysWhichRuleAllows() {
    var policy = EgressPolicy.OPEN.withAllowed(EXAMPLE);
    assertThat(policy.verdict(tunnel("example.com"))).isEqualTo(new Verdict.Allowed("example.com"));
    assertThat(policy.verdict(tunnel("example.org"))).isEqualTo(new Verdict.Allowed("open"));
  }

  @Test
  void cannotContradictItself() {
    assertThatThrownBy(
            () -> new EgressPolicy(false, List.of(EXAMPLE), Sandbox.rules("EXAMPLE.com.")))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("both allows and denies [example.com]");
    assertThatThrownBy(() -> EgressPolicy.NONE.withAllowed(EXAMPLE).withDenied(EXAMPLE))
        .isInstanceOf(Problem.class);
  }

  @Test
  void isChangedByMakingAnother() {
    var changed = EgressPolicy.NONE.withAllowed(EXAMPLE).withAllowed(EXAMPLE).withOpen(true);
    assertThat(changed).isEqualTo(new EgressPolicy(true, List.of(EXAMPLE), List.of()));
    assertThat(changed.without(EXAMPLE)).isEqualTo(EgressPolicy.OPEN);
    assertThat(EgressPolicy.NONE.allow()).isEmpty();
  }

  private static Access tunnel(String host) {
    return Access.tunnel("connect", new Host.Name(host), 443);
  }
}
