package husk.cli;

import husk.local.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The options that say what a sandbox is, and what they mean to the daemon.
final class SandboxOptions {
  private static final Option[] ALL = {
    Option.of("profile", "PROFILE", "`permissive`, `moderate` (default) or `restrictive`")
        .as("p")
        .repeated()
        .completing("permissive moderate restrictive"),
    Option.of("backend", "BACKEND", "`bubblewrap` (default), or `host`: no walls at all")
        .as("B")
        .completing("bubblewrap host"),
    Option.flag("no-network", "Let nothing out"),
    Option.of("allow", "RULE", "Connect only to hosts like this; repeatable").repeated(),
    Option.of("deny", "RULE", "Never connect to hosts like this; repeatable").repeated(),
    Option.of("dir", "FOLDER", "A folder of yours as /workspace, to be written to")
        .completing(Option.FOLDERS),
    Option.of("mount", "SRC:DST[:rw]", "A file or folder of yours, read-only or not; repeatable")
        .repeated(),
    Option.of("env", "KEY[=VALUE]", "A variable, or one to pass on; repeatable").as("e").repeated(),
    Option.of("publish", "[HOST:]PORT", "Reach a port inside at 127.0.0.1; repeatable")
        .as("P")
        .repeated(),
    Option.of("memory", "SIZE", "Of all processes together, such as 512M or 2G"),
    Option.of("cpu", "SHARE", "Processors, such as 0.5, 2 or 50%"),
    Option.of("processes", "COUNT", "How many may run at once"),
    Option.of("open-files", "COUNT", "How many one process may have open"),
    Option.of("file-size", "SIZE", "How large one file may become"),
    Option.of("disk", "SIZE", "How much the workspace and home may hold"),
    Option.of("tmp", "SIZE", "How much /tmp may hold, which is memory"),
    Option.of("ttl", "TIME", "When to remove it by itself, such as 30m, 2h30m, 7d; 0: never"),
    Option.of("config", "FILE", "A husk.toml or agentkernel.toml that describes it")
        .as("c")
        .completing(Option.FILES),
    Option.flag("branch", "Name it after the git project and branch")
  };

  private SandboxOptions() {}

  static Option[] and(Option... more) {
    return Options.join(ALL, more);
  }

  /// Everything but its name and how long it lives.
  static JsonText write(Arguments arguments, Terminal terminal) {
    var body = new JsonText();
    body.text("backend", arguments.find("backend"));
    profileAndPorts(body, arguments);
    if (arguments.has("no-network")) {
      body.flag("network", false);
    }
    body.strings("allow", arguments.all("allow")).strings("deny", arguments.all("deny"));
    if (arguments.has("dir")) {
      body.text("dir", Creation.absolute(arguments.require("dir"), terminal));
    }
    body.strings("mounts", arguments.all("mount"));
    body.strings("env", Creation.variables(arguments, terminal));
    body.object("limits", limits(arguments));
    if (arguments.has("config")) {
      body.text("config", Creation.absolute(arguments.require("config"), terminal));
    }
    return body;
  }

  /// `-p` has meant both; a port begins with a digit, and no profile does.
  private static void profileAndPorts(JsonText body, Arguments arguments) {
    var ports = new ArrayList<>(arguments.all("publish"));
    String profile = "";
    for (String given : arguments.all("profile")) {
      if (given.isEmpty()) {
        throw arguments.usage("`--profile` is empty");
      } else if (Character.isDigit(given.charAt(0))) {
        ports.add(given);
      } else if (!profile.isEmpty()) {
        throw arguments.usage("`--profile` is given twice");
      } else {
        profile = given;
      }
    }
    if (!profile.isEmpty()) {
      body.text("profile", profile);
    }
    body.strings("ports", ports);
  }

  private static JsonText limits(Arguments arguments) {
    var limits = new JsonText();
    size(limits, "memory_mb", arguments, "memory");
    if (arguments.has("cpu")) {
      limits.number("cpu_percent", Sizes.percent(arguments, "cpu"));
    }
    count(limits, "processes", arguments, "processes");
    count(limits, "open_files", arguments, "open-files");
    size(limits, "file_size_mb", arguments, "file-size");
    size(limits, "workspace_mb", arguments, "disk");
    size(limits, "tmp_mb", arguments, "tmp");
    return limits;
  }

  static void size(JsonText limits, String key, Arguments arguments, String option) {
    if (arguments.has(option)) {
      limits.number(key, Sizes.megabytes(arguments, option));
    }
  }

  private static void count(JsonText limits, String key, Arguments arguments, String option) {
    var given = arguments.wholeNumber(option);
    if (given.isPresent()) {
      limits.number(key, given.get().longValue());
    }
  }

  /// `KEY=VALUE` labels.
  static Map<String, String> labels(Arguments arguments) {
    var labels = new LinkedHashMap<String, String>();
    for (String[] pair : arguments.pairs("label")) {
      if (pair.length == 1) {
        throw arguments.usage("`--label " + pair[0] + "` has no value: write KEY=VALUE");
      }
      labels.put(pair[0], pair[1]);
    }
    return labels;
  }

  static List<String> withLabels(List<String> parts, Arguments arguments) {
    for (var label : labels(arguments).entrySet()) {
      parts.add("label=" + husk.local.UnixHttp.segment(label.getKey() + "=" + label.getValue()));
    }
    return parts;
  }
}
