package husk.cli;

import husk.cli.people.Executions;
import husk.cli.people.View;
import husk.local.JsonText;
import husk.local.UnixHttp;
import husk.model.Language;
import java.io.IOException;
import java.util.Optional;

/// Runs code in a kernel, which is created when its name is new.
final class ExecCommand implements Command {
  @Override
  public String name() {
    return "exec";
  }

  @Override
  public String summary() {
    return "Run code in a kernel, or a command in a sandbox: exec SANDBOX COMMAND...";
  }

  @Override
  public Speech speech() {
    return Speech.JSON;
  }

  @Override
  public View view() {
    return Executions::result;
  }

  @Override
  public Option[] options() {
    return Options.creation(
        Options.which(
            Option.of("file", "PATH", "Take the code from a file").as("f").completing(Option.FILES),
            Option.flag("bash", "The code is for bash, in the kernel's persistent shell"),
            Option.of("language", "LANGUAGE", "`python` (the kernel's own) or `bash`")
                .completing("python bash"),
            Option.flag("one-shot", "For bash: use a fresh shell"),
            Option.of(
                "timeout", "TIME", "How long the code may run, such as 30s or 5m; 0: no limit"),
            Option.of("output-limit", "COUNT", "How many characters of output to keep; 0: all"),
            Option.of("rollback", "WHEN", "Take its effects back: on_error, always or never")
                .completing("on_error always never"),
            Option.flag("preview", "Tell what it did, then keep or discard that"),
            Option.flag("keep", "With --preview: keep it in any case"),
            Option.flag("discard", "With --preview: take it back in any case"),
            Option.flag("stream", "Pass output on as it comes, instead of the result"),
            Option.of("images", "FOLDER", "Save images there and name them, instead of base64")
                .completing(Option.FOLDERS),
            Option.flag("json", "Print JSON at a terminal too; with --stream: an event per line")));
  }

  @Override
  public String[] operands() {
    return new String[] {"[CODE]"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public Command meant(String[] words, int from) {
    return ExecMeaning.isCommand(words, from) ? new SandboxExecCommand() : this;
  }

  @Override
  public Command[] otherMeanings() {
    return new Command[] {new SandboxExecCommand()};
  }

  @Override
  public boolean json(Arguments arguments) {
    return !arguments.has("stream") || arguments.has("json");
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    String kernel = kernel(arguments, terminal);
    PreviewedExecution.check(arguments);
    if (arguments.has("images") && arguments.has("stream") && arguments.has("json")) {
      throw arguments.usage("`--images` names files: leave out `--stream` or `--json`");
    }
    String id = FreshId.next();
    var body = new JsonText().text("code", code(arguments, terminal)).text("execution_id", id);
    body.text("language", language(arguments).wireName());
    body.flag("one_shot", arguments.has("one-shot")).flag("create", arguments.has("name"));
    var timeout = Durations.find(arguments, "timeout");
    if (timeout.isPresent()) {
      body.number("timeout", timeout.get());
    }
    var limit = arguments.wholeNumber("output-limit");
    if (limit.isPresent()) {
      body.number("output_limit", limit.get());
    }
    body.text("rollback", PreviewedExecution.rollback(arguments));
    if (arguments.has("preview")) {
      body.flag("preview", true);
    }
    var options = new JsonText();
    Creation.write(options, arguments, terminal);
    body.object("options", options);

    var daemon = new Daemon(terminal);
    var execution =
        new Execution(
            daemon,
            id,
            "/kernels/" + UnixHttp.segment(kernel) + "/execute",
            daemon.withCaller(body));
    if (arguments.has("preview")) {
      return new PreviewedExecution(execution, daemon, terminal, kernel).run(arguments.has("keep"));
    }
    if (arguments.has("stream") || terminal.speaksToPerson()) {
      boolean save = arguments.has("images") || terminal.speaksToPerson();
      var images = save ? Optional.of(new Images(arguments, terminal)) : Optional.<Images>empty();
      return new Streaming(execution, terminal, arguments.has("json"), images).run();
    }
    return arguments.has("images")
        ? execution.show(new Images(arguments, terminal), terminal)
        : execution.show();
  }

  /// Whoever names a sandbox alone has forgotten the command.
  private static String kernel(Arguments arguments, Terminal terminal) {
    var only = arguments.operand(0);
    if (only.isPresent() && !arguments.has("name") && !arguments.has("id") && plain(only.get())) {
      var reply =
          new Daemon(terminal)
              .callIfRunning("GET", Sandboxes.target(only.get()), Daemon.JSON, new byte[0]);
      if (reply.isPresent() && !reply.get().answer().failed()) {
        throw arguments.usage(
            "'"
                + only.get()
                + "' is a sandbox, and no command is given: `husk exec "
                + only.get()
                + " COMMAND...`");
      }
    }
    return arguments.kernel();
  }

  /// Whether it may be a sandbox's name; most code may not.
  private static boolean plain(String word) {
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '-' && c != '_') {
        return false;
      }
    }
    return !word.isEmpty() && word.length() < 64;
  }

  private static Language language(Arguments arguments) {
    var named = arguments.find("language");
    if (named.isEmpty()) {
      return arguments.has("bash") ? Language.BASH : Language.PYTHON;
    }
    var language = Language.of(named.get());
    if (arguments.has("bash") && language != Language.BASH) {
      throw arguments.usage("`--bash` contradicts `--language " + named.get() + "`");
    }
    return language;
  }

  private static String code(Arguments arguments, Terminal terminal) throws IOException {
    var given = arguments.operand(0);
    if (arguments.has("file")) {
      if (given.isPresent()) {
        throw arguments.usage("the code is given both as an argument and by `--file`");
      }
      String file = arguments.require("file");
      return file.equals("-") ? Texts.standardInput(terminal) : Texts.file(file, terminal);
    }
    if (given.isPresent()) {
      return given.get().equals("-") ? Texts.standardInput(terminal) : given.get();
    }
    String piped = terminal.asksPerson() ? "" : Texts.standardInput(terminal);
    if (piped.isEmpty()) {
      throw arguments.usage(
          "there is no code: give it as an argument, with `--file`, or on standard input");
    }
    return piped;
  }
}
