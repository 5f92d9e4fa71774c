package husk;

import husk.spi.SandboxEvent;
import java.util.List;

/// Some of what happened to a sandbox.
///
/// @param events oldest first
/// @param next how many there have been, to ask on from
public record SandboxEvents(List<SandboxEvent> events, long next) {
  public SandboxEvents {
    events = List.copyOf(events);
  }
}
