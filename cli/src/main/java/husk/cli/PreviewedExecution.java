package husk.cli;

import husk.local.JsonPeek;
import husk.local.JsonText;
import husk.local.UnixHttp;
import java.util.Optional;

/// An execution whose effects are shown before it is decided whether they stay: by an option, by
/// the person at the terminal, or later.
final class PreviewedExecution {
  private final Execution execution;
  private final Daemon daemon;
  private final Terminal terminal;
  private final String kernel;

  PreviewedExecution(Execution execution, Daemon daemon, Terminal terminal, String kernel) {
    this.execution = execution;
    this.daemon = daemon;
    this.terminal = terminal;
    this.kernel = kernel;
  }

  /// Refuses options that contradict each other.
  static void check(Arguments arguments) {
    boolean preview = arguments.has("preview");
    for (String decision : new String[] {"keep", "discard"}) {
      if (!preview && arguments.has(decision)) {
        throw arguments.usage("`--" + decision + "` decides about a `--preview`, which is missing");
      }
    }
    if (arguments.has("keep") && arguments.has("discard")) {
      throw arguments.usage("`--keep` contradicts `--discard`");
    }
    if (preview && arguments.has("stream")) {
      throw arguments.usage("`--preview` is told at the end: leave out `--stream`");
    }
    if (arguments.has("rollback") && (arguments.has("keep") || arguments.has("discard"))) {
      throw arguments.usage("`--rollback` decides already: leave out `--keep` or `--discard`");
    }
  }

  /// To discard in any case is to roll back always, and needs no second request.
  static Optional<String> rollback(Arguments arguments) {
    return arguments.has("discard") ? Optional.of("always") : arguments.find("rollback");
  }

  /// Runs it, prints the result, sees to the decision, and gives the exit code of the execution.
  int run(boolean keep) {
    var reply = execution.answer();
    int code = daemon.show(reply, true);
    if (JsonPeek.at(reply.text(), "effects", "checkpoint").isEmpty()) {
      return code;
    }
    if (keep) {
      return decided("keep", code);
    }
    return switch (terminal.interactive() ? asked() : "") {
      case "y", "yes", "k", "keep" -> decided("keep", code);
      case "n", "no", "d", "discard" -> decided("discard", code);
      default -> later(code);
    };
  }

  /// The decision's own answer would be a second document; only a refusal is shown.
  private int decided(String decision, int code) {
    String target = "/kernels/" + UnixHttp.segment(kernel) + "/preview/" + decision;
    var reply = daemon.call("POST", target, Daemon.JSON, daemon.withCaller(new JsonText()));
    return reply.answer().failed() ? daemon.show(reply, true) : code;
  }

  private int later(int code) {
    terminal.printError(
        "hint: it is open whether this stays: `husk keep "
            + kernel
            + "` or `husk discard "
            + kernel
            + "`\n");
    return code;
  }

  private String asked() {
    return Question.answer(
        terminal, "Does this stay? [y]es, [n]o: take it back, anything else: later > ");
  }
}
