package husk.api.sandboxes;

import husk.model.Problem;
import java.util.List;
import java.util.Locale;

/// Signals by their names and numbers on Linux.
final class Signals {
  private static final List<String> NAMES =
      List.of(
          ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT"
                  + " STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
              .split(" "));
  private static final int LAST = 64;

  private Signals() {}

  /// The number of `TERM`, `sigterm` or `15`.
  static int number(String word) {
    var name = word.strip().toUpperCase(Locale.ROOT);
    int number =
        name.matches("[0-9]{1,3}")
            ? Integer.parseInt(name)
            : NAMES.indexOf(name.startsWith("SIG") ? name.substring(3) : name) + 1;
    if (number < 1 || number > LAST) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + word + "` is no signal",
          "use a name such as TERM, INT or KILL, or a number from 1 to " + LAST);
    }
    return number;
  }
}
