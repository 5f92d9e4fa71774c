package husk;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where sandboxes are managed: in the daemon, or in this process.
interface SandboxDesk {
  SandboxRecord create(SandboxOptions options);

  SandboxRecord info(String name);

  List<SandboxRecord> list(Map<String, String> labels);

  SandboxRecord start(String name);

  SandboxRecord stop(String name);

  boolean remove(String name);

  SandboxRecord extend(String name, Duration by);

  SandboxRecord describe(
      String name, Optional<Map<String, String>> labels, Optional<String> description);

  SandboxRecord egress(String name, List<String> allow, List<String> deny, List<String> forget);

  SandboxEvents events(String name, long after, Duration wait);

  /// What runs in it, if it runs; using it is noted.
  husk.spi.Sandbox inside(String name);
}
