package husk.cli;

import husk.cli.people.Executions;
import husk.cli.people.View;
import husk.local.JsonText;
import java.util.ArrayList;
import java.util.List;

/// Tries several pieces of code from one state of a kernel, and keeps the best.
final class BestOfCommand implements KernelCommand {
  @Override
  public String name() {
    return "best-of";
  }

  @Override
  public String summary() {
    return "Try several pieces of code at once, each in a fork, and keep the best";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Executions::bestOf;
  }

  @Override
  public Option[] options() {
    return Options.which(
        Option.of("code", "CODE", "A piece of code, after those of the files; repeatable")
            .repeated(),
        Option.of(
            "seeds", "N,N...", "Seeds for random numbers: one for each piece, or many for one"),
        Option.of("score", "EXPRESSION", "Evaluated after each that succeeded: the highest wins"),
        Option.of("deadline", "SECONDS", "How long all may take; 0: no limit"),
        Option.flag("no-promote", "Leave the kernel as it is"),
        LiveOptions.PROCEED);
  }

  @Override
  public String[] operands() {
    return new String[] {"[NAME]", "[FILE...]"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var kernel = new WhichKernel(arguments);
    String target = kernel.path("best-of");
    var body = new JsonText().strings("codes", codes(kernel, arguments, terminal));
    if (arguments.has("seeds")) {
      body.json("seeds", seeds(arguments));
    }
    body.text("score", arguments.find("score"));
    var deadline = arguments.number("deadline");
    if (deadline.isPresent()) {
      body.number("deadline", deadline.get());
    }
    body.flag("promote", !arguments.has("no-promote"));
    body.flag("proceed", arguments.has("proceed"));
    return new Daemon(terminal).post(target, body, true);
  }

  private static List<String> codes(WhichKernel kernel, Arguments arguments, Terminal terminal) {
    var codes = new ArrayList<String>();
    for (String file : kernel.rest()) {
      codes.add(Texts.file(file, terminal));
    }
    codes.addAll(arguments.all("code"));
    if (codes.isEmpty()) {
      throw arguments.usage("there is no code to try: give files, or `--code`");
    }
    return codes;
  }

  /// The numbers as a JSON array.
  private static String seeds(Arguments arguments) {
    var array = new StringBuilder("[");
    for (String word : arguments.require("seeds").split(",", -1)) {
      array.append(array.length() == 1 ? "" : ",").append(seed(arguments, word));
    }
    return array.append(']').toString();
  }

  private static long seed(Arguments arguments, String word) {
    try {
      return Long.parseLong(word.strip());
    } catch (NumberFormatException e) {
      throw arguments.usage("`--seeds` has `" + word + "`, which is not a whole number");
    }
  }
}
