package husk.proxy;

/// What a policy says.
sealed interface Verdict {
  /// It may pass.
  ///
  /// @param rule the rule that allows it, or `open`
  record Allowed(String rule) implements Verdict {}

  /// It may not.
  ///
  /// @param rule the rule that denies it, or empty where none allows it
  record Refused(Reason reason, String rule) implements Verdict {}
}
