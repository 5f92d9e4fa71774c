package husk;

import husk.spi.PortMapping;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import husk.wire.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A sandbox as the daemon describes it.
record SandboxJson(
    String name,
    String id,
    String status,
    ObjectNode spec,
    Instant createdAt,
    Instant lastUsedAt,
    Optional<Instant> expiresAt,
    Map<String, String> labels,
    Optional<String> description,
    long pid,
    List<PortMapping> ports,
    Map<String, String> limitsHeldBy,
    Path workspace) {

  /// The answer to a question about all of them.
  record All(List<SandboxJson> sandboxes) {}

  record Removed(boolean removed) {}

  SandboxRecord record() {
    return new SandboxRecord(
        name,
        id,
        status,
        specification(),
        createdAt,
        lastUsedAt,
        expiresAt,
        labels,
        description,
        pid,
        ports,
        limitsHeldBy,
        workspace);
  }

  private SandboxSpec specification() {
    var profile = Profile.of(spec.path("profile").asString(""));
    return Json.MAPPER.treeToValue(
        spec.deepCopy().put("profile", profile.name()), SandboxSpec.class);
  }
}
