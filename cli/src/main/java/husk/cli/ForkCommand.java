package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonText;

/// Makes running copies of a kernel.
final class ForkCommand implements KernelCommand {
  @Override
  public String name() {
    return "fork";
  }

  @Override
  public String summary() {
    return "Make a running copy of a kernel, with its variables and files";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::forked;
  }

  @Override
  public Option[] options() {
    return Options.which(
        Option.of("as", "NAME", "The copy's name; of several: NAME-1, NAME-2 and so on"),
        Option.of("count", "N", "How many copies; default 1"),
        LiveOptions.PROCEED);
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("fork");
    var body = new JsonText().text("as", arguments.find("as"));
    var count = arguments.wholeNumber("count");
    if (count.isPresent()) {
      body.number("count", (long) count.get());
    }
    body.flag("proceed", arguments.has("proceed"));
    return new Daemon(terminal).post(target, body, true);
  }
}
