package husk.model;

import java.util.Optional;
import java.util.UUID;

/// Makes the ids of kernels and executions: 32 hexadecimal digits.
public final class Ids {
  private Ids() {}

  /// An id that is spelled with dashes, without them.
  public static Optional<String> undashed(String id) {
    boolean dashed =
        id.length() == 36
            && id.charAt(8) == '-'
            && id.charAt(13) == '-'
            && id.charAt(18) == '-'
            && id.charAt(23) == '-';
    return dashed ? Optional.of(id.replace("-", "")).filter(Ids::wellFormed) : Optional.empty();
  }

  public static String fresh() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  public static boolean wellFormed(String id) {
    return id.length() == 32 && id.chars().allMatch(Ids::hex);
  }

  private static boolean hex(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }
}
