package husk.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The table of commands. Help and completions are made from it; an ordinary call loads only the
/// class of the command it names.
final class Commands {
  /// The order of the help text: a heading, then the names under it.
  static final String[][] GROUPS = {
    {
      "Kernels",
      "create",
      "list",
      "status",
      "restart",
      "interrupt",
      "destroy",
      "wipe",
      "logs",
      "connection-file"
    },
    {"Executions", "exec", "result", "executions"},
    {
      "Live state",
      "fork",
      "promote",
      "best-of",
      "checkpoint",
      "checkpoints",
      "rollback",
      "checkpoint-drop",
      "diff",
      "keep",
      "discard"
    },
    {
      "Sandboxes",
      "run",
      "attach",
      "replay",
      "cp",
      "exec-list",
      "exec-logs",
      "exec-kill",
      "sandbox create",
      "sandbox start",
      "sandbox stop",
      "sandbox remove",
      "sandbox list",
      "sandbox info",
      "sandbox allow",
      "sandbox deny",
      "sandbox forget-rule",
      "sandbox events",
      "sandbox extend-ttl",
      "sandbox gc",
      "sandbox clean",
      "sandbox export",
      "sandbox import",
      "sandbox export-config",
      "sandbox import-config"
    },
    {"Serving", "serve"},
    {
      "Python and other languages", "setup", "python list", "python add", "python remove", "kernels"
    },
    {
      "This installation",
      "doctor",
      "config show",
      "trust",
      "untrust",
      "daemon start",
      "daemon stop",
      "daemon status",
      "daemon logs",
      "daemon run",
      "completions",
      "version",
      "help"
    },
  };

  /// Second names; the help text has the first ones.
  private static final String[] ALIASES = {
    "sandbox cp", "sandbox exec-list", "sandbox exec-logs", "sandbox exec-kill"
  };

  private Commands() {}

  static Optional<Command> find(String name) {
    return switch (name) {
      case "create" -> Optional.of(new CreateCommand());
      case "list" -> Optional.of(new ListCommand());
      case "status" -> Optional.of(new StatusCommand());
      case "restart" -> Optional.of(new RestartCommand());
      case "interrupt" -> Optional.of(new InterruptCommand());
      case "destroy" -> Optional.of(new DestroyCommand());
      case "wipe" -> Optional.of(new WipeCommand());
      case "logs" -> Optional.of(new LogsCommand());
      case "connection-file" -> Optional.of(new ConnectionFileCommand());
      case "exec" -> Optional.of(new ExecCommand());
      case "result" -> Optional.of(new ResultCommand());
      case "executions" -> Optional.of(new ExecutionsCommand());
      case "fork" -> Optional.of(new ForkCommand());
      case "promote" -> Optional.of(new PromoteCommand());
      case "best-of" -> Optional.of(new BestOfCommand());
      case "checkpoint" -> Optional.of(new CheckpointCommand());
      case "checkpoints" -> Optional.of(new CheckpointsCommand());
      case "rollback" -> Optional.of(new RollbackCommand());
      case "checkpoint-drop" -> Optional.of(new CheckpointDropCommand());
      case "diff" -> Optional.of(new DiffCommand());
      case "keep" -> Optional.of(DecisionCommand.keep());
      case "discard" -> Optional.of(DecisionCommand.discard());
      case "run" -> Optional.of(new RunCommand());
      case "attach" -> Optional.of(new AttachCommand());
      case "replay" -> Optional.of(new ReplayCommand());
      case "cp", "sandbox cp" -> Optional.of(new CpCommand(name));
      case "exec-list", "sandbox exec-list" -> Optional.of(new ExecListCommand(name));
      case "exec-logs", "sandbox exec-logs" -> Optional.of(new ExecLogsCommand(name));
      case "exec-kill", "sandbox exec-kill" -> Optional.of(new ExecKillCommand(name));
      case "sandbox create" -> Optional.of(new SandboxCreateCommand());
      case "sandbox start" -> Optional.of(new SandboxStartCommand());
      case "sandbox stop" -> Optional.of(new SandboxStopCommand());
      case "sandbox remove" -> Optional.of(new SandboxRemoveCommand());
      case "sandbox list" -> Optional.of(new SandboxListCommand());
      case "sandbox info" -> Optional.of(new SandboxInfoCommand());
      case "sandbox allow" -> Optional.of(new SandboxRulesCommand("allow"));
      case "sandbox deny" -> Optional.of(new SandboxRulesCommand("deny"));
      case "sandbox forget-rule" -> Optional.of(new SandboxRulesCommand("forget-rule"));
      case "sandbox events" -> Optional.of(new SandboxEventsCommand());
      case "sandbox extend-ttl" -> Optional.of(new SandboxExtendCommand());
      case "sandbox gc" -> Optional.of(new SandboxGcCommand());
      case "sandbox clean" -> Optional.of(new SandboxCleanCommand());
      case "sandbox export" -> Optional.of(new SandboxExportCommand());
      case "sandbox import" -> Optional.of(new SandboxImportCommand());
      case "sandbox export-config" -> Optional.of(new SandboxExportConfigCommand());
      case "sandbox import-config" -> Optional.of(new SandboxImportConfigCommand());
      case "serve" -> Optional.of(new ServeCommand());
      case "setup" -> Optional.of(new SetupCommand());
      case "python list" -> Optional.of(new PythonListCommand());
      case "python add" -> Optional.of(new PythonAddCommand());
      case "python remove" -> Optional.of(new PythonRemoveCommand());
      case "kernels" -> Optional.of(new KernelsCommand());
      case "doctor" -> Optional.of(new DoctorCommand());
      case "config show" -> Optional.of(new ConfigShowCommand());
      case "trust" -> Optional.of(new TrustCommand());
      case "untrust" -> Optional.of(new UntrustCommand());
      case "daemon start" -> Optional.of(new DaemonStartCommand());
      case "daemon stop" -> Optional.of(new DaemonStopCommand());
      case "daemon status" -> Optional.of(new DaemonStatusCommand());
      case "daemon logs" -> Optional.of(new DaemonLogsCommand());
      case "daemon run" -> Optional.of(new DaemonRunCommand());
      case "completions" -> Optional.of(new CompletionsCommand());
      case "version" -> Optional.of(new VersionCommand());
      case "help" -> Optional.of(new HelpCommand());
      default -> Optional.empty();
    };
  }

  /// Every command, in the order of the help text.
  static List<Command> all() {
    var all = new ArrayList<Command>();
    for (String[] group : GROUPS) {
      for (int i = 1; i < group.length; i++) {
        all.add(find(group[i]).orElseThrow());
      }
    }
    return all;
  }

  /// Whether it is the first word of commands that have two.
  static boolean isFamily(String word) {
    return word.equals("sandbox")
        || word.equals("python")
        || word.equals("config")
        || word.equals("daemon");
  }

  /// The second words of the commands that begin with this one.
  static List<String> family(String first) {
    var words = new ArrayList<String>();
    for (Command command : all()) {
      if (command.name().startsWith(first + " ")) {
        words.add(command.name().substring(first.length() + 1));
      }
    }
    for (String alias : ALIASES) {
      if (alias.startsWith(first + " ")) {
        words.add(alias.substring(first.length() + 1));
      }
    }
    return words;
  }

  /// The first words of all commands, each once.
  static List<String> firstWords() {
    var words = new ArrayList<String>();
    for (Command command : all()) {
      int blank = command.name().indexOf(' ');
      String first = blank < 0 ? command.name() : command.name().substring(0, blank);
      if (!words.contains(first)) {
        words.add(first);
      }
    }
    return words;
  }
}
