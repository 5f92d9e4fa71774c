package husk.cli;

import husk.local.JsonText;
import husk.model.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Makes a sandbox from a file.
final class SandboxImportConfigCommand implements Command {
  @Override
  public String name() {
    return "sandbox import-config";
  }

  @Override
  public String summary() {
    return "Make a sandbox from a husk.toml or agentkernel.toml";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("as", "NAME", "What it is called, instead of the file's own name"),
      Option.of("backend", "BACKEND", "Instead of the file's own")
          .as("B")
          .completing("bubblewrap host"),
      Option.flag("no-start", "Only make it")
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"FILE"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String file = Creation.absolute(arguments.requireOperand(0), terminal);
    if (!Files.isRegularFile(Path.of(file))) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST, "there is no file `" + arguments.requireOperand(0) + "`");
    }
    var body = new JsonText().text("name", arguments.find("as")).text("config", file);
    body.text("backend", arguments.find("backend"));
    for (String list : new String[] {"allow", "deny", "mounts", "ports"}) {
      body.strings(list, List.of());
    }
    body.strings("env", Map.of()).strings("limits", Map.of());
    body.flag("started", !arguments.has("no-start"));
    return new Daemon(terminal).post("/sandboxes", body, arguments.has("json"));
  }
}
