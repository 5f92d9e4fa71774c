package husk.spi;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// Something that happened to a sandbox: what, when, and the details by name.
public record SandboxEvent(Instant at, String type, Map<String, String> details) {
  public SandboxEvent {
    details = new TreeMap<>(details);
  }

  public static SandboxEvent now(String type, Map<String, String> details) {
    return new SandboxEvent(Instant.now(), type, details);
  }
}
