package husk.model;

import java.util.UUID;

/// Makes the ids of kernels and executions: 32 hexadecimal digits.
public final class Ids {
  private Ids() {}

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
