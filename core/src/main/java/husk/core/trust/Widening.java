package husk.core.trust;

/// Something that a project's file would open beyond what its user set.
///
/// @param key as it is written in the file
/// @param value what the file says, or what of it is wider
/// @param opens what that would open, in words
public record Widening(String key, String value, String opens) {
  private static final int LONGEST = 120;

  /// With a value short enough for a sentence.
  public static Widening of(String key, String value, String opens) {
    var line = value.strip().replaceAll("\\R", " ⏎ ");
    return new Widening(
        key, line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line, opens);
  }

  @Override
  public String toString() {
    return "`" + key + " = " + value + "` " + opens;
  }
}
