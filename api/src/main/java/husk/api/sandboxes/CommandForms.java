package husk.api.sandboxes;

import husk.api.form.Choice;
import husk.api.form.Field;
import husk.api.form.Flag;
import husk.api.form.Form;
import husk.api.form.ListOfText;
import husk.api.form.Nested;
import husk.api.form.Real;
import husk.api.form.Text;
import husk.api.form.TextOrWhole;
import husk.api.form.Variables;
import husk.api.form.Whole;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What callers may send about commands and files in a sandbox.
public final class CommandForms {
  private static final Text TEXT = new Text();
  private static final Flag FLAG = new Flag();
  private static final List<String> ENCODINGS = List.of("utf8", "base64");

  public static final Form<CommandBodies.WindowBody> WINDOW =
      new Form<>(
              "TerminalSize",
              CommandBodies.WindowBody.class,
              List.of(
                  Field.required("rows", new Whole(1), "Its height.").like(24),
                  Field.required("columns", new Whole(1), "Its width.").like(80)))
          .knowingAll();

  private static final List<Field> COMMAND =
      List.of(
          Field.required(
                  "command",
                  new ListOfText(),
                  "The program and its arguments, passed as they are; no shell sees them.")
              .like(List.of("python3", "-c", "print(6 * 7)")),
          Field.optional("env", new Variables(), "Variables beside those of the sandbox.")
              .like(Map.of("STAGE", "test")),
          Field.optional("workdir", TEXT, "Where it starts; /workspace if it is left out.")
              .like("/tmp"),
          Field.optional(
                  "timeout",
                  Real.seconds(0),
                  "Seconds it may run; then it ends with all it started. 0: for ever.")
              .like(30),
          Field.optional("id", TEXT, "An id of your own for it, new in its sandbox."));

  private static final List<Field> INPUT =
      List.of(
          Field.optional("stdin", TEXT, "Its standard input, which ends after it."),
          Field.optional(
              "stdin_encoding",
              new Choice(ENCODINGS, ENCODINGS::contains),
              "Whether `stdin` is text or bytes in Base64."),
          Field.usually(
              false,
              "open_stdin",
              FLAG,
              "Streamed: leave its standard input open for `POST …/exec/{id}/stdin`."),
          Field.optional(
              "terminal",
              new Nested(WINDOW),
              "Streamed: run it on a terminal of this size, its two streams as one."),
          Field.usually(
              false, "detached", FLAG, "Let it go on when the caller leaves before its end."),
          Field.usually(false, "last", FLAG, "A temporary sandbox ends with it."));

  public static final Form<CommandBodies.ExecBody> EXEC =
      new Form<>(
              "ExecRequest",
              CommandBodies.ExecBody.class,
              Stream.concat(COMMAND.stream(), INPUT.stream()).toList())
          .knowingAll();

  public static final Form<CommandBodies.ExecBody> DETACH =
      new Form<>("DetachRequest", CommandBodies.ExecBody.class, COMMAND).knowingAll();

  public static final Form<CommandBodies.SignalBody> SIGNAL =
      new Form<>(
              "SignalRequest",
              CommandBodies.SignalBody.class,
              List.of(
                  Field.optional("signal", new TextOrWhole(), "A name or a number; usually TERM.")
                      .like("INT")))
          .knowingAll();

  public static final Form<CommandBodies.DirectoryBody> DIRECTORY =
      new Form<>(
              "DirectoryRequest",
              CommandBodies.DirectoryBody.class,
              List.of(
                  Field.required("path", TEXT, "Absolute.").like("/workspace/data"),
                  Field.usually(true, "parents", FLAG, "Make those above it, too.")))
          .knowingAll();

  public static final Form<CommandBodies.MoveBody> MOVE =
      new Form<>(
              "MoveRequest",
              CommandBodies.MoveBody.class,
              List.of(
                  Field.required("from", TEXT, "What to move.").like("/workspace/a"),
                  Field.required("to", TEXT, "Its new path.").like("/workspace/b")))
          .knowingAll();

  private CommandForms() {}
}
