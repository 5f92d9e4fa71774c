package husk.api.jupyter;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/// Kernel ids as Jupyter writes them: with dashes, 8-4-4-4-12.
final class KernelIds {
  private static final String DASHED =
      "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

  private KernelIds() {}

  static String dashed(String id) {
    return id.length() != 32
        ? id
        : String.join(
            "-",
            id.substring(0, 8),
            id.substring(8, 12),
            id.substring(12, 16),
            id.substring(16, 20),
            id.substring(20));
  }

  /// What a client calls a kernel, as Husk does; both spellings of an id are understood, and names.
  static String plain(String identifier) {
    return identifier.matches(DASHED)
        ? identifier.replace("-", "").toLowerCase(java.util.Locale.ROOT)
        : identifier;
  }

  static String fromPath(String segment) {
    return plain(URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
  }
}
