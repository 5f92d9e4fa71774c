package husk.proxy;

/// The ports a rule is about, both ends included.
public record Ports(int first, int last) {
  private static final int HIGHEST = 65535;

  static final Ports ANY = new Ports(1, HIGHEST);

  public Ports {
    if (first < 1 || last > HIGHEST || first > last) {
      throw new IllegalArgumentException(
          "ports %d-%d: they go from 1 to %d, the lower one first".formatted(first, last, HIGHEST));
    }
  }

  static Ports only(int port) {
    return new Ports(port, port);
  }

  public boolean contains(int port) {
    return first <= port && port <= last;
  }

  /// As it stands behind a host: empty for all ports.
  @Override
  public String toString() {
    if (equals(ANY)) {
      return "";
    }
    return first == last ? ":" + first : ":" + first + "-" + last;
  }
}
