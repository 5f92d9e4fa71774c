package husk.kernels;

import husk.model.Death;
import husk.model.Death.Cause;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// How a kernel's process ended, as its parent saw it.
///
/// @param pid the process; a kernel that was restarted has had several
/// @param exitCode its exit code, when it exited
/// @param signal the signal that killed it, when one did
public record Exit(long pid, Optional<Integer> exitCode, Optional<Integer> signal) {

  private static final Map<Integer, String> SIGNAL_NAMES =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 8, "SIGFPE", 9,
          "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM", 24, "SIGXCPU");

  public static Exit parse(JsonNode node) {
    return new Exit(
        node.path("pid").asLong(), number(node.path("exit_code")), number(node.path("signal")));
  }

  /// For a process whose end nobody saw.
  public static Exit unseen(long pid) {
    return new Exit(pid, Optional.empty(), Optional.empty());
  }

  private static Optional<Integer> number(JsonNode node) {
    return node.isNumber() ? Optional.of(node.asInt()) : Optional.empty();
  }

  private static String howToRaise(long megabytes) {
    return ": its limit is "
        + megabytes
        + " MB; `husk create --memory SIZE` (`limits` in requests) makes one with more";
  }

  /// Says why. A KILL that nobody here sent, while the system's count of processes killed for want
  /// of memory went up, was that.
  ///
  /// @param limit megabytes that the kernel's sandbox may have, if there is a limit
  public Death toDeath(boolean memoryRanOut, Optional<Long> limit) {
    if (signal.isPresent()) {
      int number = signal.get();
      if (number == Signals.KILL && memoryRanOut) {
        return new Death(
            Cause.OUT_OF_MEMORY,
            exitCode,
            signal,
            "the system killed the kernel because memory ran out"
                + limit.map(Exit::howToRaise).orElse(""));
      }
      var name = SIGNAL_NAMES.getOrDefault(number, "signal " + number);
      return new Death(Cause.SIGNALLED, exitCode, signal, "the kernel was killed by " + name);
    }
    return exitCode
        .map(
            code ->
                new Death(Cause.EXITED, exitCode, signal, "the kernel exited with code " + code))
        .orElseGet(() -> Death.unknown("the kernel's process is gone; nobody saw how it ended"));
  }
}
