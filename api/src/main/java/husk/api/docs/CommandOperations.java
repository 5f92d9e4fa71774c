package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.sandboxes.CommandForms;
import husk.api.sandboxes.SandboxParameters;
import husk.local.Frames;
import java.util.List;

/// Programs in a sandbox.
final class CommandOperations {
  private static final String COMMANDS = "Commands";
  private static final String NOT_THERE = "There is no such sandbox, or no such command in it.";
  private static final Object[] EXAMPLE = {"command", List.of("python3", "-c", "print(6 * 7)")};

  private CommandOperations() {}

  static List<Operation> all() {
    return List.of(
        inside("POST /sandboxes/{name}/exec", "exec_in_sandbox", "Run a command")
            .about(
                "A command that fails is answered with 200 and says so in `exit_code`. As it"
                    + " happens: with `Accept: text/event-stream` the events `started` with its id,"
                    + " `output`, and `done` or `error`; as frames with every byte. A caller that"
                    + " leaves ends it.")
            .takes(CommandForms.EXEC, EXAMPLE)
            .answers(
                Answer.json(200, "What came of it.", ref("CommandResult"))
                    .alsoAs("text/event-stream")
                    .alsoAs(Frames.MEDIA_TYPE))
            .refuses(404, "There is no such sandbox, or no such program in it."),
        inside("POST /sandboxes/{name}/exec/{id}/stdin", "write_stdin", "Send standard input")
            .about("To a command that is being streamed and was begun with `open_stdin`.")
            .query(SandboxParameters.END)
            .takesBytes("application/octet-stream")
            .answers(Answer.json(200, "How much was taken.", ref("Bytes"))),
        inside("POST /sandboxes/{name}/exec/{id}/signal", "signal_command", "Send a signal")
            .about("To a command that is being streamed, and not to what it started.")
            .mayTake(CommandForms.SIGNAL, "signal", "INT")
            .answers(Answer.json(200, "The signal's number.", ref("SignalSent"))),
        inside("POST /sandboxes/{name}/exec/{id}/resize", "resize_terminal", "Resize a terminal")
            .takes(CommandForms.WINDOW, "rows", 24, "columns", 80)
            .answers(Answer.json(200, "Its new size.", ref("TerminalSize"))),
        inside("POST /sandboxes/{name}/exec/detach", "detach_command", "Run a command by itself")
            .about("It goes on whoever listens; the newest of its output is kept.")
            .takes(CommandForms.DETACH, EXAMPLE)
            .answers(Answer.json(200, "The command.", ref("CommandModel"))),
        inside("GET /sandboxes/{name}/exec/detached", "list_commands", "List commands")
            .query(SandboxParameters.ALL)
            .answers(Answer.json(200, "Those it remembers.", ref("CommandListResponse"))),
        inside("GET /sandboxes/{name}/exec/detached/{id}", "get_command", "Get a command")
            .answers(Answer.json(200, "The command.", ref("CommandModel"))),
        inside("GET /sandboxes/{name}/exec/detached/{id}/logs", "command_logs", "Read its output")
            .about("What is kept; as events or frames also what comes, until it ends.")
            .query(SandboxParameters.STREAM, SandboxParameters.FOLLOW)
            .answers(
                Answer.json(200, "Its output.", ref("CommandLogs"))
                    .alsoAs("text/event-stream")
                    .alsoAs(Frames.MEDIA_TYPE)),
        inside("DELETE /sandboxes/{name}/exec/detached/{id}", "kill_command", "End a command")
            .about("Signals it and all it started.")
            .query(SandboxParameters.SIGNAL)
            .answers(Answer.json(200, "The signal's number.", ref("SignalSent"))));
  }

  private static Operation inside(String route, String id, String summary) {
    return Operation.of(route, id, COMMANDS, summary)
        .refuses(404, NOT_THERE)
        .refuses(409, SandboxOperations.STOPPED)
        .refuses(507, "The sandbox has as many processes as it may.");
  }
}
