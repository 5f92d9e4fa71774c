package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonText;

/// Starts a kernel afresh under its name and id.
final class RestartCommand implements KernelCommand {
  @Override
  public String name() {
    return "restart";
  }

  @Override
  public String summary() {
    return "Restart a kernel; its variables are lost";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels.did("restarted");
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("restart");
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
