package husk.api.jupyter;

/// Why a WebSocket is closed, as its closing frame says it.
///
/// @param code one of RFC 6455, section 7.4.1
/// @param text at most 123 bytes of it are sent
record CloseReason(int code, String text) {
  static final int NORMAL = 1000;
  static final int GOING_AWAY = 1001;
  static final int PROTOCOL_ERROR = 1002;
  static final int NOT_SUPPORTED = 1003;
  static final int NOT_CONSISTENT = 1007;
  static final int POLICY = 1008;
  static final int TOO_BIG = 1009;
  static final int UNEXPECTED = 1011;
  static final int TRY_AGAIN = 1013;
}
