package husk.model;

/// Something that a copy of a kernel would not have, or would share with the original.
///
/// @param kind `thread`, `task`, `process`, `connection`, `pipe`, `file`, `mapping` or `gpu`
/// @param name what its user knows it by
/// @param fate what becomes of it
public record Hazard(String kind, String name, String fate) {
  @Override
  public String toString() {
    return kind + " " + name + " (" + fate + ")";
  }
}
