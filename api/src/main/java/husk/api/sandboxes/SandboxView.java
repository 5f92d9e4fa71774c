package husk.api.sandboxes;

import husk.api.Texts;
import husk.sandboxes.SandboxInfo;
import husk.spi.PortMapping;
import husk.wire.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How a sandbox is shown: to programs, and to people.
final class SandboxView {
  private SandboxView() {}

  static Map<String, Object> json(SandboxInfo info) {
    var view = new LinkedHashMap<String, Object>();
    view.put("name", info.name());
    view.put("id", info.id());
    view.put("status", info.status().wireName());
    view.put("backend", info.spec().backend());
    view.put("profile", info.spec().profile().wireName());
    view.put("network", info.spec().network());
    view.put("created_at", info.createdAt());
    view.put("last_used_at", info.lastUsedAt());
    view.put("ttl_seconds", info.ttlSeconds());
    view.put("expires_at", info.expiresAt());
    view.put("labels", info.labels());
    view.put("description", info.description());
    view.put("pid", info.pid());
    view.put("ports", info.ports());
    view.put("limits_held_by", info.limitsHeldBy());
    view.put("agent_socket", info.agentSocket());
    view.put("workspace", info.workspace());
    view.put("spec", spec(info));
    return view;
  }

  /// Its profile is spelled as users spell it.
  private static JsonNode spec(SandboxInfo info) {
    ObjectNode spec = Json.MAPPER.valueToTree(info.spec());
    return spec.put("profile", info.spec().profile().wireName());
  }

  static String table(List<SandboxInfo> sandboxes) {
    if (sandboxes.isEmpty()) {
      return "No sandboxes found.\nMake one with: husk sandbox create NAME\n";
    }
    return Texts.table(
        List.of("NAME", "STATUS", "BACKEND", "IP", "LABELS", "PORTS"),
        sandboxes.stream().map(SandboxView::row).toList());
  }

  private static List<String> row(SandboxInfo info) {
    return List.of(
        info.name(),
        info.status().wireName(),
        info.spec().backend(),
        "-",
        orDash(labels(info)),
        orDash(ports(info)));
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String labels(SandboxInfo info) {
    return info.labels().entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static String ports(SandboxInfo info) {
    var ports = info.ports().isEmpty() ? info.spec().ports() : info.ports();
    return ports.stream().map(SandboxView::port).collect(Collectors.joining(","));
  }

  private static String port(PortMapping port) {
    return (port.host() == 0 ? "*" : Integer.toString(port.host())) + "->" + port.inside();
  }

  static String lines(SandboxInfo info) {
    var lines = new LinkedHashMap<String, String>();
    lines.put("Name", info.name());
    lines.put("Status", info.status().wireName());
    lines.put("Backend", info.spec().backend());
    lines.put("Profile", info.spec().profile().wireName());
    lines.put("Network", network(info));
    lines.put("Resources", resources(info));
    lines.put("Created", info.createdAt().toString());
    lines.put("Last active", info.lastUsedAt().toString());
    lines.put("Expires", info.expiresAt().map(Instant::toString).orElse("never"));
    put(lines, "Ports", ports(info));
    put(lines, "Labels", labels(info));
    put(lines, "Mounts", mounts(info));
    put(lines, "Description", info.description().orElse("").replaceAll("\\p{Cntrl}+", " "));
    lines.put("Workspace", info.workspace().toString());
    var text = new StringBuilder();
    lines.forEach((name, value) -> text.append("%-12s %s%n".formatted(name + ":", value)));
    return text.toString();
  }

  private static void put(Map<String, String> lines, String name, String value) {
    Optional.of(value).filter(text -> !text.isEmpty()).ifPresent(text -> lines.put(name, text));
  }

  private static String network(SandboxInfo info) {
    var egress = info.spec().egress();
    if (!info.spec().network()) {
      return "none";
    }
    var allowed = egress.open() ? "any public host" : "only " + String.join(", ", egress.allow());
    return egress.deny().isEmpty()
        ? allowed
        : allowed + ", not " + String.join(", ", egress.deny());
  }

  private static String resources(SandboxInfo info) {
    var limits = info.spec().limits();
    return limit(limits.memoryMb(), " MB")
        + " memory, "
        + limit(limits.cpuPercent(), " %")
        + " CPU, "
        + limit(limits.processes(), "")
        + " processes, "
        + limit(limits.workspaceMb(), " MB")
        + " disk";
  }

  private static String limit(long value, String unit) {
    return value == 0 ? "unlimited" : value + unit;
  }

  private static String mounts(SandboxInfo info) {
    return info.spec().mounts().stream()
        .map(mount -> mount.source() + ":" + mount.target() + (mount.writable() ? ":rw" : ":ro"))
        .collect(Collectors.joining(", "));
  }
}
