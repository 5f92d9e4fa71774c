package husk.cli;

import husk.local.JsonParts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A sandbox written as the file that makes it again.
final class SandboxConfig {
  private final Map<String, String> sandbox;
  private final Map<String, String> spec;
  private final Toml toml = new Toml();

  private SandboxConfig(String json) {
    this.sandbox = JsonParts.fields(json);
    this.spec = JsonParts.fields(sandbox.getOrDefault("spec", "{}"));
  }

  static String of(SandboxHandle handle) {
    return new SandboxConfig(handle.json()).write();
  }

  private String write() {
    toml.table("sandbox").text("name", shown(sandbox, "name"));
    toml.text("backend", shown(sandbox, "backend"));
    if (!shown(sandbox, "description").isEmpty()) {
      toml.text("description", shown(sandbox, "description"));
    }
    toml.text("ttl", shown(sandbox, "ttl_seconds") + "s");
    if (!mounts().isEmpty()) {
      toml.strings("mounts", mounts());
    }
    toml.strings("sandbox.labels", strings(sandbox.getOrDefault("labels", "{}")));
    resources();
    toml.table("network").strings("ports", ports());
    security();
    toml.strings("environment", strings(spec.getOrDefault("env", "{}")));
    return toml.toString();
  }

  /// A limit of 0 is none, and left out.
  private void resources() {
    toml.table("resources");
    var limits = JsonParts.fields(spec.getOrDefault("limits", "{}"));
    for (var limit : limits.entrySet()) {
      if (!limit.getValue().equals("0") && !limit.getKey().equals("timeout_ms")) {
        toml.raw(limit.getKey(), limit.getValue());
      }
    }
  }

  private void security() {
    toml.table("security").text("profile", shown(sandbox, "profile"));
    toml.raw("network", spec.getOrDefault("network", "true"));
    var egress = JsonParts.fields(spec.getOrDefault("egress", "{}"));
    toml.table("security.domains");
    toml.strings("allow", JsonParts.strings(egress.getOrDefault("allow", "[]")));
    toml.strings("block", JsonParts.strings(egress.getOrDefault("deny", "[]")));
    toml.raw(
        "allowlist_only", egress.getOrDefault("open", "true").equals("true") ? "false" : "true");
  }

  /// What somebody asked for; what Husk brings along comes by itself.
  private List<String> mounts() {
    var lent = JsonParts.strings(spec.getOrDefault("lent", "[]"));
    var mounts = new ArrayList<String>();
    for (String item : JsonParts.items(spec.getOrDefault("mounts", "[]"))) {
      var mount = JsonParts.fields(item);
      if (!lent.contains(shown(mount, "source"))) {
        continue;
      }
      String end = mount.getOrDefault("writable", "false").equals("true") ? ":rw" : ":ro";
      mounts.add(path(mount, "source") + ":" + path(mount, "target") + end);
    }
    return mounts;
  }

  private static String path(Map<String, String> mount, String key) {
    return JsonPaths.of(shown(mount, key)).toString();
  }

  private List<String> ports() {
    var ports = new ArrayList<String>();
    for (String item : JsonParts.items(spec.getOrDefault("ports", "[]"))) {
      var port = JsonParts.fields(item);
      String host = port.getOrDefault("host", "0");
      String inside = port.getOrDefault("inside", "0");
      ports.add(host.equals("0") ? inside : host + ":" + inside);
    }
    return ports;
  }

  private static Map<String, String> strings(String object) {
    var strings = new LinkedHashMap<String, String>();
    for (var field : JsonParts.fields(object).entrySet()) {
      strings.put(field.getKey(), JsonParts.shown(field.getValue()));
    }
    return strings;
  }

  private static String shown(Map<String, String> fields, String key) {
    String value = fields.getOrDefault(key, "null");
    return value.equals("null") ? "" : JsonParts.shown(value);
  }
}
