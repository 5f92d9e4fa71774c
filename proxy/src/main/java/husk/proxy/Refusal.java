package husk.proxy;

/// A request goes no further. The message is for whoever sent it: one sentence, printable ASCII.
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private static final String MALFORMED = "malformed request: ";

  private final Reason reason;
  private final String rule;
  private final String remedy;

  Refusal(Reason reason, String rule, String message, String remedy) {
    super(Printable.text(message, 600));
    this.reason = reason;
    this.rule = rule;
    this.remedy = Printable.text(remedy, 600);
  }

  static Refusal malformed(String what) {
    return new Refusal(Reason.MALFORMED, "", MALFORMED + what, "");
  }

  static Refusal unreachable(String what) {
    return new Refusal(Reason.UNREACHABLE, "", what, "");
  }

  Reason reason() {
    return reason;
  }

  /// The rule that decided, or empty.
  String rule() {
    return rule;
  }

  /// What would make it work, or empty.
  String remedy() {
    return remedy;
  }

  /// What is malformed, where it is not a request that is.
  String detail() {
    return text().startsWith(MALFORMED) ? text().substring(MALFORMED.length()) : text();
  }

  String text() {
    var message = getMessage();
    return message == null ? reason.wireName() : message;
  }
}
