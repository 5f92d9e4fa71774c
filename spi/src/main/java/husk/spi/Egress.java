package husk.spi;

import java.util.List;

/// Where a sandbox may connect to, in the rules' own spelling.
///
/// @param open whether any public address may be reached that no rule speaks of
/// @param allow rules that permit
/// @param deny rules that forbid, and win
public record Egress(boolean open, List<String> allow, List<String> deny) {
  public static final Egress NONE = new Egress(false, List.of(), List.of());
  public static final Egress OPEN = new Egress(true, List.of(), List.of());

  public Egress {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
  }

  /// Whether anything at all can be reached.
  public boolean any() {
    return open || !allow.isEmpty();
  }
}
