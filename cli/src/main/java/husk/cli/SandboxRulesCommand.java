package husk.cli;

import husk.local.JsonText;
import java.util.List;

/// Changes where a sandbox may connect to, while it runs or not: `allow`, `deny`, `forget-rule`.
final class SandboxRulesCommand implements Command {
  private final String verb;

  SandboxRulesCommand(String verb) {
    this.verb = verb;
  }

  @Override
  public String name() {
    return "sandbox " + verb;
  }

  @Override
  public String summary() {
    return switch (verb) {
      case "allow" -> "Let a sandbox connect to more hosts";
      case "deny" -> "Keep a sandbox from connecting to hosts";
      default -> "Take rules of `allow` and `deny` back";
    };
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX", "RULE..."};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var rules = arguments.operandsFrom(1);
    var body = new JsonText().strings("allow", verb.equals("allow") ? rules : List.of());
    body.strings("deny", verb.equals("deny") ? rules : List.of());
    body.strings("forget", verb.equals("forget-rule") ? rules : List.of());
    String target = Sandboxes.target(arguments.requireOperand(0)) + "/egress";
    return new Daemon(terminal).post(target, body, arguments.has("json"));
  }
}
