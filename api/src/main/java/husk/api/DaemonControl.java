package husk.api;

import java.time.Instant;

/// What the API may know of, and ask from, the daemon it runs in.
public interface DaemonControl {
  Instant startedAt();

  /// Notes that somebody asked something just now.
  void used();

  /// Ends the daemon soon after the present request is answered.
  void stop();

  String version();
}
