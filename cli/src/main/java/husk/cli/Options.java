package husk.cli;

import java.util.Arrays;

/// The options that several commands share.
final class Options {
  static final Option[] NONE = {};
  static final String[] NO_OPERANDS = {};

  static final Option HELP = Option.flag("help", "Show this help").as("h");
  static final Option JSON = Option.flag("json", "Print JSON");
  static final Option QUIET = Option.flag("quiet", "Do not say what is being waited for");

  private static final Option[] WHICH = {
    Option.of("name", "NAME", "The kernel's name").completing(Option.KERNELS),
    Option.of("id", "ID", "The kernel's id")
  };

  private static final Option[] CREATION = {
    Option.of("session-name", "NAME", "A second name to find the kernel by"),
    Option.of("tag", "KEY=VALUE", "A label of your own; repeatable").repeated(),
    Option.of("cwd", "FOLDER", "Where the kernel starts; default: /workspace (host: here)")
        .completing(Option.FOLDERS),
    Option.of("env", "KEY[=VALUE]", "A variable for the kernel, or one to pass on; repeatable")
        .repeated(),
    Option.of("python", "PYTHON", "An environment's name, a venv's folder or an interpreter")
        .completing(Option.FILES),
    Option.of("kernel", "KERNEL", "`husk`, or the name of a kernelspec"),
    Option.of("backend", "BACKEND", "bubblewrap: in a sandbox; host: without protection"),
    Option.of("sandbox", "NAME", "A sandbox to live in, instead of one of its own"),
    Option.of("profile", "PROFILE", "What its sandbox may do: permissive, moderate, restrictive"),
    Option.of("memory", "SIZE", "Of all its processes together, such as 512M or 4G"),
    Option.of("cpus", "SHARE", "Processors, such as 0.5 or 2"),
    Option.of("disk", "SIZE", "How much its workspace and home may hold"),
    Option.of("live-state", "on|off", "Whether it can be copied; default: unless restrictive"),
    Option.of("startup-code", "CODE", "Code to run after every start"),
    Option.of("idle-timeout", "TIME", "How long it may idle before it is reaped; 0: for ever")
  };

  private Options() {}

  /// `--name` and `--id`, and more.
  static Option[] which(Option... more) {
    return join(WHICH, more);
  }

  /// Those that say how a kernel is made, after others.
  static Option[] creation(Option... before) {
    return join(before, CREATION);
  }

  /// Every option of a command, with those it has without saying so.
  static Option[] all(Command command) {
    var own = command.options();
    var ours = has(own, QUIET) ? new Option[] {HELP} : new Option[] {QUIET, HELP};
    return command.speech() != Command.Speech.TEXT && !has(own, JSON)
        ? join(join(own, JSON), ours)
        : join(own, ours);
  }

  private static boolean has(Option[] options, Option wanted) {
    for (Option option : options) {
      if (option.name().equals(wanted.name())) {
        return true;
      }
    }
    return false;
  }

  static Option[] join(Option[] first, Option... second) {
    var all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
