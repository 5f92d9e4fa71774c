package husk.api.accept;

import java.time.Duration;

/// How long a connection may take.
///
/// @param head to say what is asked for, and for the handshake of TLS
/// @param whole to send a body that is read whole
/// @param flowing to send the next bytes of one that is passed on
/// @param idle between two requests
/// @param pressed to be somewhere in between, when others wait to be let in
public record Patience(
    Duration head, Duration whole, Duration flowing, Duration idle, Duration pressed) {
  public static final Patience DEFAULT =
      new Patience(
          Duration.ofSeconds(15),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofSeconds(5));

  /// With the daemon's owner: what is copied into a sandbox may come from a pipe that rests.
  public static final Patience WITH_OWNER =
      new Patience(
          DEFAULT.head(), DEFAULT.whole(), Duration.ofDays(365), DEFAULT.idle(), DEFAULT.pressed());
}
