package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonPeek;

/// Ends a kernel and forgets it.
final class DestroyCommand implements KernelCommand {
  @Override
  public String name() {
    return "destroy";
  }

  @Override
  public String summary() {
    return "Destroy a kernel";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::destroyed;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var daemon = new Daemon(terminal);
    String target = new WhichKernel(arguments).alone().path();
    var reply = daemon.call("DELETE", target, Daemon.JSON);
    int code = daemon.show(reply, true);
    boolean destroyed = JsonPeek.at(reply.text(), "destroyed").orElse("true").equals("true");
    return code == ExitCodes.SUCCESS && !destroyed ? ExitCodes.FAILED : code;
  }
}
