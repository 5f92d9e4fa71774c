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
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).delete("/kernels", true);
  }
}
