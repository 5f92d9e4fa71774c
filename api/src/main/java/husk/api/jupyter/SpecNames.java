package husk.api.jupyter;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What Jupyter's clients call Husk's own kernel: `python3`, the name every notebook carries.
final class SpecNames {
  static final String OWN = "python3";
  private static final String HUSK = "husk";
  private static final Set<String> ALIASES = Set.of(OWN, "python", HUSK);

  private SpecNames() {}

  static String shown(String kernel) {
    return kernel.equals(HUSK) ? OWN : kernel;
  }

  /// Whether it is Husk's own kernel that is meant; that is the default, too.
  static boolean own(String name) {
    return ALIASES.contains(name.toLowerCase(Locale.ROOT));
  }

  static String kernel(Optional<String> name) {
    return name.filter(n -> !n.isEmpty() && !own(n)).orElse(HUSK);
  }
}
