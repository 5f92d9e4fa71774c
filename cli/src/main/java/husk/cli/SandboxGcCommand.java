package husk.cli;

import husk.local.JsonText;

/// Removes the sandboxes whose time is up.
final class SandboxGcCommand implements Command {
  @Override
  public String name() {
    return "sandbox gc";
  }

  @Override
  public String summary() {
    return "Remove expired sandboxes, or all that have these labels";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.flag("dry-run", "Only say what would be removed"),
      Option.of("label", "KEY=VALUE", "All with this label, expired or not; repeatable")
          .as("l")
          .repeated()
    };
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var body = new JsonText().strings("labels", SandboxOptions.labels(arguments));
    body.flag("dry_run", arguments.has("dry-run"));
    return new Daemon(terminal).post("/sandboxes/gc", body, arguments.has("json"));
  }
}
