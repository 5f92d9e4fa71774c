package husk.cli;

import husk.local.JsonText;

/// Checks what this machine has and lacks.
final class DoctorCommand implements Command {
  @Override
  public String name() {
    return "doctor";
  }

  @Override
  public String summary() {
    return "Check this machine for what Husk needs";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    return new Daemon(terminal).post("/doctor", new JsonText(), json(arguments));
  }
}
