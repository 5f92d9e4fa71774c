package husk.cli;

import husk.cli.people.Kernels;
import husk.cli.people.View;
import husk.local.JsonText;

/// Decides about what a kernel's preview did: it stays, or is taken back.
final class DecisionCommand implements KernelCommand {
  private final String decision;
  private final String summary;

  private DecisionCommand(String decision, String summary) {
    this.decision = decision;
    this.summary = summary;
  }

  static DecisionCommand keep() {
    return new DecisionCommand("keep", "Let what a preview did stay");
  }

  static DecisionCommand discard() {
    return new DecisionCommand("discard", "Take back what a preview did to variables and files");
  }

  @Override
  public String name() {
    return decision;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Kernels::decided;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("preview/" + decision);
    return new Daemon(terminal).post(target, new JsonText(), true);
  }
}
