package husk.cli;

import husk.local.JsonText;

/// Removes the sandboxes that do not run.
final class SandboxCleanCommand implements Command {
  @Override
  public String name() {
    return "sandbox clean";
  }

  @Override
  public String summary() {
    return "Remove all stopped sandboxes";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.flag("force", "Those that run too").as("f"),
      Option.flag("all", "Also files of sandboxes that nobody knows of any more")
    };
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var body =
        new JsonText().flag("force", arguments.has("force")).flag("all", arguments.has("all"));
    return new Daemon(terminal).post("/sandboxes/clean", body, arguments.has("json"));
  }
}
