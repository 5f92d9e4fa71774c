package husk.sandboxes;

import husk.proxy.EgressRule;

/// What a rule for the network means, for those who decide who may make it.
public final class EgressWords {
  private EgressWords() {}

  /// Whether a rule that allows opens addresses that are not public: of this machine, of its
  /// neighbours, of the cloud's metadata service. What is no rule is refused.
  public static boolean nonPublic(String rule) {
    return EgressRule.parse(rule).opensNonPublic();
  }
}
