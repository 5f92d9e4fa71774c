package husk.model;

import java.util.Locale;

/// How an execution ended.
public enum ResultStatus {
  SUCCESS,
  /// The code raised an error, or a shell command exited with a code other than 0.
  ERROR,
  /// It ran longer than allowed and was interrupted; the kernel and its variables live on.
  TIMEOUT,
  /// A caller asked for it to stop.
  CANCELLED,
  /// The kernel's process ended while it ran.
  DIED,
  /// A retrying execution failed as often as it was allowed to.
  MAX_ATTEMPTS_EXCEEDED;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static ResultStatus of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
