package husk.cli;

import husk.local.JsonText;
import husk.model.Problem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes the options that say how a kernel is made.
final class Creation {
  private Creation() {}

  static void write(JsonText body, Arguments arguments, Terminal terminal) {
    body.text("session_name", arguments.find("session-name"));
    if (arguments.has("tag")) {
      body.strings("tags", tags(arguments));
    }
    if (arguments.has("cwd")) {
      body.text("cwd", absolute(arguments.require("cwd"), terminal));
    }
    if (arguments.has("env")) {
      body.strings("env", variables(arguments, terminal));
    }
    if (arguments.has("python")) {
      body.text("python", interpreter(arguments.require("python"), terminal));
    }
    body.text("kernel", arguments.find("kernel"));
    body.text("startup_code", arguments.find("startup-code"));
    body.text("backend", arguments.find("backend"));
    body.text("sandbox", arguments.find("sandbox"));
    body.text("profile", arguments.find("profile"));
    if (arguments.has("memory") || arguments.has("cpus") || arguments.has("disk")) {
      body.object("limits", limits(arguments));
    }
    if (arguments.has("live-state")) {
      body.flag("live_state", isOn(arguments, "live-state"));
    }
    var idle = Durations.find(arguments, "idle-timeout");
    if (idle.isPresent()) {
      body.number("idle_timeout", idle.get());
    }
  }

  private static JsonText limits(Arguments arguments) {
    var limits = new JsonText();
    SandboxOptions.size(limits, "memory_mb", arguments, "memory");
    if (arguments.has("cpus")) {
      limits.number("cpu_percent", Sizes.percent(arguments, "cpus"));
    }
    SandboxOptions.size(limits, "workspace_mb", arguments, "disk");
    return limits;
  }

  private static boolean isOn(Arguments arguments, String option) {
    return switch (arguments.require(option)) {
      case "on" -> true;
      case "off" -> false;
      case String other ->
          throw arguments.usage("`--" + option + " " + other + "`: write on or off");
    };
  }

  /// An interpreter's or folder's path made absolute; a bare word is an environment's name.
  static String interpreter(String given, Terminal terminal) {
    return given.indexOf('/') < 0 ? given : absolute(given, terminal);
  }

  /// An empty word is a variable that was not set more often than this folder that is meant.
  static String absolute(String path, Terminal terminal) {
    if (path.isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST, "a path is empty", "write `.` for this folder");
    }
    try {
      return Path.of(terminal.cwd()).resolve(path).normalize().toString();
    } catch (InvalidPathException e) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "`" + path + "` is not a path").causedBy(e);
    }
  }

  private static Map<String, String> tags(Arguments arguments) {
    var tags = new LinkedHashMap<String, String>();
    for (String[] pair : arguments.pairs("tag")) {
      if (pair.length == 1) {
        throw arguments.usage("`--tag " + pair[0] + "` has no value: write KEY=VALUE");
      }
      tags.put(pair[0], pair[1]);
    }
    return tags;
  }

  /// `KEY=VALUE` as it is; `KEY` with the value it has here.
  static Map<String, String> variables(Arguments arguments, Terminal terminal) {
    var variables = new LinkedHashMap<String, String>();
    for (String[] pair : arguments.pairs("env")) {
      var value = pair.length == 2 ? pair[1] : terminal.environment().get(pair[0]);
      if (value == null) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "`--env " + pair[0] + "` asks to pass on a variable that is not set",
            "set it, or give its value: `--env " + pair[0] + "=VALUE`");
      }
      if (pair.length == 1) {
        Intact.require(Intact.ENVIRONMENT, "the value of " + pair[0], value);
      }
      variables.put(pair[0], value);
    }
    return variables;
  }
}
