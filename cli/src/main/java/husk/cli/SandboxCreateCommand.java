package husk.cli;

/// Makes a sandbox.
final class SandboxCreateCommand implements Command {
  @Override
  public String name() {
    return "sandbox create";
  }

  @Override
  public String summary() {
    return "Make a sandbox and start it";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return SandboxOptions.and(
        Option.of("label", "KEY=VALUE", "A label of your own; repeatable").as("l").repeated(),
        Option.of("description", "TEXT", "What it is for"),
        Option.flag("no-start", "Only make it"));
  }

  @Override
  public String[] operands() {
    return new String[] {"[NAME]"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var name = arguments.operand(0);
    if (arguments.has("branch") && name.isPresent()) {
      throw arguments.usage("`--branch` makes up the name; `" + name.get() + "` is another");
    }
    var body = SandboxOptions.write(arguments, terminal);
    body.text("name", name);
    if (arguments.has("branch")) {
      body.text("name", GitBranch.sandbox(terminal));
    }
    body.strings("labels", SandboxOptions.labels(arguments));
    body.text("description", arguments.find("description"));
    body.number("ttl_seconds", Durations.seconds(arguments, "ttl", "0"));
    body.number("temporary_seconds", 0).flag("started", !arguments.has("no-start"));
    return new Daemon(terminal).post("/sandboxes", body, arguments.has("json"));
  }
}
