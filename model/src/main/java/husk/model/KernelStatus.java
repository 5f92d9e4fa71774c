package husk.model;

import java.util.Locale;

/// What a kernel is doing. Liveness is a matter of its process, never of whether it is busy.
public enum KernelStatus {
  /// Claimed by a caller who is starting its process.
  STARTING,
  /// Alive and waiting for code.
  IDLE,
  /// Alive and running code.
  BUSY,
  /// Its process is gone.
  DEAD;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static KernelStatus of(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }

  public boolean alive() {
    return this == IDLE || this == BUSY;
  }
}
