package husk.cli;

import husk.spi.CommandSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The options that say how a command is run.
final class CommandOptions {
  static final Option TIMEOUT =
      Option.of("timeout", "TIME", "End it after this time, such as 30s or 5m; exit code 124");
  static final Option TTY =
      Option.flag("tty", "Give it a terminal, also where there is none").as("t");
  static final Option INTERACTIVE = Option.flag("interactive", "Accepted; it always is").as("i");
  static final Option NO_INPUT = Option.flag("no-input", "Leave standard input alone");

  private CommandOptions() {}

  /// With a terminal where it is asked for, or where a person sits at both ends.
  static CommandSpec spec(
      List<String> argv, Map<String, String> env, Arguments arguments, Terminal terminal) {
    boolean quiet = arguments.has("json") || arguments.has("no-input");
    boolean tty = arguments.has("tty") || (!quiet && terminal.interactive());
    var spec = CommandSpec.of(argv).within(Durations.milliseconds(arguments, "timeout", "0"));
    if (tty) {
      return spec.withEnv(withTerm(env, terminal)).on(RawTerminal.window(terminal));
    }
    spec = spec.withEnv(env);
    return arguments.has("no-input") || !terminal.mayRead() ? spec : spec.withInput();
  }

  static Map<String, String> withTerm(Map<String, String> env, Terminal terminal) {
    var all = new HashMap<String, String>();
    all.put("TERM", terminal.environment().getOrDefault("TERM", "xterm"));
    all.putAll(env);
    return all;
  }
}
