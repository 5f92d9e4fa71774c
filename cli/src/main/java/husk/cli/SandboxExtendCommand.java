package husk.cli;

import husk.local.JsonText;

/// Lets a sandbox live longer.
final class SandboxExtendCommand implements Command {
  @Override
  public String name() {
    return "sandbox extend-ttl";
  }

  @Override
  public String summary() {
    return "Let a sandbox live longer, counted from its end or from now";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {Option.of("by", "TIME", "Default 1h")};
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    long seconds = Durations.seconds(arguments, "by", "1h");
    if (seconds == 0) {
      throw arguments.usage("`--by` is 0, which extends nothing");
    }
    String target = Sandboxes.target(arguments.requireOperand(0)) + "/extend";
    var body = new JsonText().number("seconds", seconds);
    return new Daemon(terminal).post(target, body, arguments.has("json"));
  }
}
