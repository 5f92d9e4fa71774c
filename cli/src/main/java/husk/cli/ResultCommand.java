package husk.cli;

import husk.cli.people.Executions;
import husk.cli.people.View;
import husk.local.UnixHttp;

/// Shows the result of an execution, also of one whose caller is gone.
final class ResultCommand implements Command {
  @Override
  public String name() {
    return "result";
  }

  @Override
  public String summary() {
    return "Show the result of an execution";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Executions::result;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("execution", "ID", "The execution's id"),
      Option.flag("no-wait", "Do not wait for it to finish")
    };
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = "/executions/" + UnixHttp.segment(arguments.require("execution"));
    return new Daemon(terminal).get(arguments.has("no-wait") ? target : target + "?wait=1", true);
  }
}
