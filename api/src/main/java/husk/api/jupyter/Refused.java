package husk.api.jupyter;

/// What a client sent cannot be taken; its WebSocket is closed with a code and a reason.
final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final CloseReason reason;

  Refused(int code, String reason) {
    super(reason);
    this.reason = new CloseReason(code, reason);
  }

  CloseReason reason() {
    return reason;
  }
}
