package husk.spi;

import java.util.List;

/// Which of the machine's programs a sandbox has, by name (`curl`) or by path (`/usr/bin/curl`).
///
/// @param only whether those allowed are all there are
/// @param allow programs that are there when only those are
/// @param deny programs that are not there, and win
public record Commands(boolean only, List<String> allow, List<String> deny) {
  public static final Commands ANY = new Commands(false, List.of(), List.of());

  public Commands {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
  }

  /// Whether a program may be started, as the first word of a command names it.
  public boolean permits(String program) {
    return !names(deny, program) && (!only || names(allow, program));
  }

  private static boolean names(List<String> list, String program) {
    var name = program.substring(program.lastIndexOf('/') + 1);
    return list.stream()
        .anyMatch(entry -> entry.equals(name) || merged(entry).equals(merged(program)));
  }

  /// On most machines `/bin` is `/usr/bin`.
  private static String merged(String path) {
    return path.startsWith("/bin/") || path.startsWith("/sbin/") ? "/usr" + path : path;
  }
}
