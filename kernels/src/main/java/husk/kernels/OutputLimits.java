package husk.kernels;

/// How much of an execution's output is kept.
///
/// Whoever wants all of a text gets what this process has room for: a cell that prints without end
/// must not be the end of everybody's daemon.
///
/// @param characters per text field; zero for as many as there may be
/// @param data characters of all displays together: their data, names and texts
/// @param items how many outputs
public record OutputLimits(int characters, long data, int items) {
  /// A text is held several times on its way to whoever asked for it, and what is not ASCII takes
  /// six characters of the answer each.
  static final int MOST_CHARACTERS =
      Math.clamp(Runtime.getRuntime().maxMemory() / 128, 1 << 20, 16 << 20);

  public static final long DEFAULT_DATA = 8L << 20;
  public static final int DEFAULT_ITEMS = 1000;

  public OutputLimits {
    characters = characters <= 0 ? MOST_CHARACTERS : Math.min(characters, MOST_CHARACTERS);
  }

  public static OutputLimits of(int characters) {
    return new OutputLimits(characters, DEFAULT_DATA, DEFAULT_ITEMS);
  }
}
