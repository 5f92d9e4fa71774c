package husk.core;

import husk.model.Problem;

/// Refusals of what was not opened to callers over TCP, with the option that would open it.
final class Closed {
  static final String HOST_BACKEND = "allow-host-backend";
  static final String MOUNT = "allow-mount FOLDER";
  static final String PYTHON = "allow-python";
  static final String PRIVATE_NETWORK = "allow-private-network";
  static final String PUBLISH = "allow-publish";

  static final String LIVE_STATE = "live-state";

  /// Nothing but the server's own settings can say so.
  static final String RULES = "";

  private Closed() {}

  static String profile(String name) {
    return "allow-profile " + name;
  }

  /// Of something that a caller asks for.
  static Problem field(String field, String value, String why, String option) {
    return new Problem(
        Problem.Code.NOT_OPEN_OVER_TCP,
        "`%s: %s` is not open to callers over TCP: %s".formatted(field, value, why),
        remedy(option),
        "leave it out to get what the server gives by itself");
  }

  /// Of something that is there, and that a caller wants to use.
  static Problem thing(String what, String why, String option) {
    return new Problem(
        Problem.Code.NOT_OPEN_OVER_TCP,
        "%s is not open to callers over TCP: it %s".formatted(what, why),
        remedy(option),
        "it can be seen, stopped and removed; to work in it, use the daemon's own socket");
  }

  private static String remedy(String option) {
    if (option.equals(LIVE_STATE)) {
      return "whoever serves can make it the server's own: HUSK_LIVE_STATE=on for `husk serve`";
    }
    if (option.isEmpty()) {
      return "whoever serves can make them the server's own: HUSK_SANDBOX_CONFIG for `husk serve`";
    }
    var words = option.split(" ", 2);
    var value = words.length == 1 ? "true" : "\"" + words[1] + "\"";
    return "whoever serves can open it: `husk serve --%s`, or `%s = %s` in their own husk.toml"
        .formatted(option, words[0], value);
  }
}
