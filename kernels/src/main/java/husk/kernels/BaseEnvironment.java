package husk.kernels;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The variables a kernel may have of its caller's environment. Everything else, secrets above all,
/// stays outside unless it is asked for by name.
public final class BaseEnvironment {
  private static final Set<String> ALLOWED =
      Set.of(
          "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR");

  private BaseEnvironment() {}

  static boolean allows(String name) {
    return ALLOWED.contains(name) || name.startsWith("LC_");
  }

  /// Drops from `environment` what is not allowed.
  static void reduce(Map<String, String> environment) {
    environment.keySet().removeIf(name -> !allows(name));
  }

  /// The allowed part of `environment`.
  public static Map<String, String> of(Map<String, String> environment) {
    var allowed = new TreeMap<>(environment);
    reduce(allowed);
    allowed.putIfAbsent("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    allowed.putIfAbsent("LANG", "C.UTF-8");
    return allowed;
  }
}
