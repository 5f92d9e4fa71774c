package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonText;

/// Creates a kernel under a name that is free.
final class CreateCommand implements Command {
  @Override
  public String name() {
    return "create";
  }

  @Override
  public String summary() {
    return "Create a kernel";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels.did("created");
  }

  @Override
  public Option[] options() {
    return Options.creation(Option.of("name", "NAME", "The new kernel's name"));
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var body = new JsonText().text("name", arguments.require("name"));
    Creation.write(body, arguments, terminal);
    return new Daemon(terminal).post("/kernels", body, true);
  }
}
