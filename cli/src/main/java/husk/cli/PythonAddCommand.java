package husk.cli;

import husk.local.JsonText;
import java.util.ArrayList;

/// Makes a Python environment that kernels can be started from.
final class PythonAddCommand implements Command {
  @Override
  public String name() {
    return "python add";
  }

  @Override
  public String summary() {
    return "Make a Python environment";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("from", "PYTHON", "The interpreter or environment to make it from")
          .completing(Option.FILES),
      Option.of("requirements", "FILE", "A file of requirements to install; repeatable")
          .as("r")
          .repeated()
          .completing(Option.FILES),
      Option.of("require", "PACKAGE", "A requirement to install; repeatable").repeated(),
      Option.of("preload", "MODULE", "A module kernels have imported already; repeatable")
          .repeated()
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"NAME"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var body = new JsonText().text("name", arguments.operand(0).orElseThrow());
    var from = arguments.find("from");
    if (from.isPresent()) {
      body.text("from", Creation.interpreter(from.get(), terminal));
    }
    var requirements = new ArrayList<String>();
    for (String file : arguments.all("requirements")) {
      Requirements.read(file, terminal, requirements);
    }
    requirements.addAll(arguments.all("require"));
    body.strings("requirements", requirements).strings("preload", arguments.all("preload"));
    return new Daemon(terminal).post("/environments", body, json(arguments));
  }
}
