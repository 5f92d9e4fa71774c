package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;

/// Ends every kernel.
final class WipeCommand implements Command {
  @Override
  public String name() {
    return "wipe";
  }

  @Override
  public String summary() {
    return "Destroy all kernels";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::wiped;
  }

  @Override
  public Option[] options() {
    return new Option[] {Option.flag("yes", "Do not ask").as("y")};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    boolean asks = terminal.interactive() && !arguments.has("yes");
    if (asks && !Question.agreed(terminal, "Destroy all kernels? [y]es, anything else: no > ")) {
      terminal.printError("Nothing was destroyed.\n");
      return ExitCodes.REFUSED;
    }
    return new Daemon(terminal).delete("/kernels", true);
  }
}
