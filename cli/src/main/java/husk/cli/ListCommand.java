package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;

/// Lists kernels: JSON, a table, or bare names for shells to complete.
final class ListCommand implements Command {
  @Override
  public String name() {
    return "list";
  }

  @Override
  public String summary() {
    return "List the kernels, oldest first";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::list;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.flag("refresh", "Ask every kernel how it is before answering"),
      Option.flag("table", "Print a table for people"),
      Option.flag("tree", "Print a table with forks below the kernels they came from"),
      Option.flag("names", "Print names alone, one per line; starts no daemon")
    };
  }

  @Override
  public boolean json(Arguments arguments) {
    return !arguments.has("table") && !arguments.has("tree") && !arguments.has("names");
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    if (arguments.has("names")) {
      return names(terminal);
    }
    if (arguments.has("tree")) {
      return new Daemon(terminal).get("/kernels", "text/plain;tree=1");
    }
    String target = arguments.has("refresh") ? "/kernels?refresh=1" : "/kernels";
    return new Daemon(terminal).get(target, json(arguments));
  }

  /// A shell completing a word must neither start a daemon nor be told of problems.
  private static int names(Terminal terminal) {
    var daemon = new Daemon(terminal);
    var reply = daemon.callIfRunning("GET", "/kernels", "text/plain;names=1", new byte[0]);
    return reply.isPresent() ? daemon.show(reply.get(), false) : ExitCodes.SUCCESS;
  }
}
