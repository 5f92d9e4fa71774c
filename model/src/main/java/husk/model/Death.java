package husk.model;

import java.util.Locale;
import java.util.Optional;

/// Why a kernel's process ended.
///
/// @param cause the kind of end
/// @param exitCode the exit code, when it exited
/// @param signal the number of the signal that killed it, when one did
/// @param detail one sentence for people
public record Death(
    Cause cause, Optional<Integer> exitCode, Optional<Integer> signal, String detail) {

  /// Kinds of end.
  public enum Cause {
    EXITED,
    SIGNALLED,
    OUT_OF_MEMORY,
    KILLED_AFTER_TIMEOUT,
    REPLACED,
    UNKNOWN;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Cause of(String wireName) {
      return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
  }

  /// By a rollback or a promotion: the kernel lives on in another state.
  public static Death replaced() {
    return new Death(
        Cause.REPLACED,
        Optional.empty(),
        Optional.of(9),
        "the kernel was put into another state while the code ran");
  }

  /// What is said to those whose code ran in it.
  public String toThoseWhoWait() {
    return cause == Cause.REPLACED ? detail : detail + "; its variables are lost";
  }

  public static Death unknown(String detail) {
    return new Death(Cause.UNKNOWN, Optional.empty(), Optional.empty(), detail);
  }
}
