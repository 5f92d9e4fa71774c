package husk.cli;

import husk.local.JsonText;
import husk.local.UnixHttp;

/// Starts a kernel afresh under its name and id.
final class RestartCommand implements Command {
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
  public Option[] options() {
    return Options.which();
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = "/kernels/" + UnixHttp.segment(arguments.kernel()) + "/restart";
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
