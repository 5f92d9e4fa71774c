package husk.cli;

import husk.cli.people.Differences;
import husk.cli.people.View;
import husk.local.UnixHttp;

/// Shows what has changed in a kernel.
final class DiffCommand implements KernelCommand {
  @Override
  public String name() {
    return "diff";
  }

  @Override
  public String summary() {
    return "Show which variables and files changed since a checkpoint, or differ from a fork";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Differences::of;
  }

  @Override
  public Option[] options() {
    return Options.which(
        Option.of("checkpoint", "CHECKPOINT", "A checkpoint's label or id; default: the latest"),
        Option.of("with", "KERNEL", "Another kernel instead: a fork, or what it came from")
            .completing(Option.KERNELS));
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    String target = new WhichKernel(arguments).alone().path("diff");
    var checkpoint = arguments.find("checkpoint");
    var other = arguments.find("with");
    if (checkpoint.isPresent() && other.isPresent()) {
      throw arguments.usage("`--checkpoint` and `--with` both say what to compare with");
    }
    if (checkpoint.isPresent()) {
      target += "?checkpoint=" + UnixHttp.segment(checkpoint.get());
    } else if (other.isPresent()) {
      target += "?with=" + UnixHttp.segment(other.get());
    }
    return new Daemon(terminal).get(target, true);
  }
}
