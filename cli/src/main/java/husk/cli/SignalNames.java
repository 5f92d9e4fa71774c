package husk.cli;

import java.util.Locale;

/// The signals by name.
final class SignalNames {
  static final String ALL = "TERM INT KILL HUP QUIT USR1 USR2 STOP CONT";

  private SignalNames() {}

  /// `TERM`, `SIGTERM`, `term` or `15`; 0 for what is none.
  static int number(String given) {
    double number = Durations.number(given);
    if (number >= 1 && number <= 64 && number == Math.rint(number)) {
      return (int) number;
    }
    String name = given.toUpperCase(Locale.ROOT);
    return switch (name.startsWith("SIG") ? name.substring(3) : name) {
      case "HUP" -> 1;
      case "INT" -> 2;
      case "QUIT" -> 3;
      case "ABRT" -> 6;
      case "KILL" -> 9;
      case "USR1" -> 10;
      case "USR2" -> 12;
      case "PIPE" -> 13;
      case "ALRM" -> 14;
      case "TERM" -> 15;
      case "CONT" -> 18;
      case "STOP" -> 19;
      case "TSTP" -> 20;
      case "WINCH" -> 28;
      default -> 0;
    };
  }
}
