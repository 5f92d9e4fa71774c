package husk.spi;

import java.util.Optional;

/// How a command ended, and what it used.
///
/// @param code its exit code, unless a signal ended it
/// @param signal the signal that ended it
/// @param reason why
/// @param wallMs how long it ran
/// @param userMs processor time in its own code
/// @param systemMs processor time in the kernel
/// @param maxRssKb the most memory one of its processes had
/// @param dropped bytes of a detached command's output that were not kept
public record CommandEnd(
    Optional<Integer> code,
    Optional<Integer> signal,
    Reason reason,
    long wallMs,
    long userMs,
    long systemMs,
    long maxRssKb,
    long dropped) {

  /// Why a command ended.
  public enum Reason {
    EXITED,
    SIGNALLED,
    TIMEOUT,
    KILLED,
    OUT_OF_MEMORY,
    PROCESS_LIMIT,
    DISK_LIMIT,
    SANDBOX_ENDED;

    public String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    public static Reason of(String wireName) {
      for (var reason : values()) {
        if (reason.wireName().equals(wireName)) {
          return reason;
        }
      }
      return KILLED;
    }
  }

  /// When nobody could say more: the sandbox ended under it.
  public static CommandEnd withSandbox() {
    return new CommandEnd(Optional.empty(), Optional.of(9), Reason.SANDBOX_ENDED, 0, 0, 0, 0, 0);
  }

  public CommandEnd because(Reason reason) {
    return new CommandEnd(code, signal, reason, wallMs, userMs, systemMs, maxRssKb, dropped);
  }

  /// As a shell tells it: 128 and the signal's number for one that a signal ended, 124 at a limit
  /// of time.
  public int exitCode() {
    return reason == Reason.TIMEOUT ? 124 : code.orElseGet(() -> 128 + signal.orElse(0));
  }
}
