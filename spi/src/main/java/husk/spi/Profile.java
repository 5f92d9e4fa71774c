package husk.spi;

import husk.model.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What a sandbox may do, by one word.
public enum Profile {
  /// Network, the caller's directory, home and variables.
  PERMISSIVE(true, true),
  /// Network, and nothing of the caller's.
  MODERATE(true, false),
  /// No network, nothing of the caller's, and nowhere to write but the workspace and `/tmp`.
  RESTRICTIVE(false, false);

  private final boolean network;
  private final boolean ofCaller;

  Profile(boolean network, boolean ofCaller) {
    this.network = network;
    this.ofCaller = ofCaller;
  }

  public boolean network() {
    return network;
  }

  /// Whether the caller's directory, home and variables come along.
  public boolean mountsCaller() {
    return ofCaller;
  }

  public boolean readOnly() {
    return this == RESTRICTIVE;
  }

  /// The limits of a sandbox that asks for none of its own.
  public Limits limits() {
    return switch (this) {
      case PERMISSIVE -> Limits.NONE;
      case MODERATE -> Limits.NONE.withMemoryMb(512).withCpuPercent(100);
      case RESTRICTIVE -> Limits.NONE.withMemoryMb(256).withCpuPercent(50).withTmpMb(64);
    };
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Profile of(String name) {
    return Arrays.stream(values())
        .filter(profile -> profile.wireName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.INVALID_SETTING,
                    "there is no profile `" + name + "`",
                    "use permissive, moderate or restrictive"));
  }

  /// The profile of whoever names none.
  public static Profile orDefault(Optional<String> name) {
    return name.map(Profile::of).orElse(MODERATE);
  }
}
