package husk.proxy;

/// The paths a rule is about: one, or all that begin like it (`/api/*`).
public record PathPattern(String path, boolean andAllBelow) {

  public boolean matches(String other) {
    return andAllBelow ? other.startsWith(path) : other.equals(path);
  }

  @Override
  public String toString() {
    return andAllBelow ? path + "*" : path;
  }
}
