package husk.kernels;

/// How much of an execution's output is kept.
///
/// @param characters per text field; zero for no limit
/// @param data characters of all MIME data together
/// @param items how many outputs
public record OutputLimits(int characters, long data, int items) {
  public static final long DEFAULT_DATA = 8L << 20;
  public static final int DEFAULT_ITEMS = 1000;

  public static OutputLimits of(int characters) {
    return new OutputLimits(characters, DEFAULT_DATA, DEFAULT_ITEMS);
  }
}
