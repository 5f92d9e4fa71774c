package husk.api.rest;

import husk.api.ClientBody;
import husk.api.form.Choice;
import husk.api.form.Field;
import husk.api.form.Flag;
import husk.api.form.Form;
import husk.api.form.Limits;
import husk.api.form.ListOfText;
import husk.api.form.MapOfText;
import husk.api.form.Nested;
import husk.api.form.Real;
import husk.api.form.Text;
import husk.api.form.TextOrList;
import husk.api.form.Whole;
import husk.model.Language;
import husk.model.Problem;
import husk.model.Rollback;
import java.util.List;
import java.util.Map;

/// What callers may send: KernelBox's fields with its limits, then Husk's.
public final class Forms {
  private static final Text TEXT = new Text();
  private static final Flag FLAG = new Flag();
  private static final double SHORTEST_TIMEOUT = 0.1;

  /// What Husk's own clients tell of the process they run in.
  public static final Form<ClientBody> CLIENT =
      new Form<>(
          "Client",
          ClientBody.class,
          List.of(
              Field.optional("cwd", TEXT, "The caller's directory; relative paths start there."),
              Field.optional(
                  "environment", new MapOfText(), "Its variables that new kernels inherit."),
              Field.optional("variables", new MapOfText(), "Its `HUSK_*` settings.")));

  static final Field FROM_CLIENT =
      Field.optional(
          "client", new Nested(CLIENT), "The process that asks, as Husk's own clients tell it.");

  private static final Field NAME =
      Field.optional("name", TEXT, "A name for the kernel, free among living ones.")
          .like("data-analysis");

  private static final List<Field> OPTIONS =
      List.of(
          Field.optional("session_name", TEXT, "A second name to find the kernel by.")
              .like("agent-run-42"),
          Field.usually(Map.of(), "tags", new MapOfText(), "Labels of your own.")
              .like(Map.of("task", "eda", "owner", "agent")),
          Field.optional("cwd", TEXT, "The directory it starts in.").like("/tmp"),
          Field.optional(
                  "env",
                  new MapOfText(),
                  "Its environment variables, beside a few of the server's.")
              .like(Map.of("STAGE", "test")),
          Field.optional(
              "python",
              TEXT,
              "An environment's name, a virtual environment's folder or an interpreter."),
          Field.optional(
                  "kernel", TEXT, "`husk`, Husk's own Python kernel, or the name of a kernelspec.")
              .like("husk"),
          Field.optional("kernelspec", TEXT, "Another spelling of `kernel`."),
          Field.optional(
                  "startup_code", TEXT, "Runs after every start of the kernel; empty for none.")
              .like("import math"),
          Field.optional(
                  "idle_timeout",
                  Real.seconds(0),
                  "Seconds it may idle before it is destroyed; 0: for ever.")
              .like(1800),
          Field.optional(
              "backend", TEXT, "Who makes its sandbox: `bubblewrap`, or `host` for none."),
          Field.optional("sandbox", TEXT, "A sandbox it shares, instead of one of its own."),
          Field.optional(
              "profile", TEXT, "What its sandbox may do: permissive, moderate or restrictive."),
          Field.optional(
              "live_state",
              FLAG,
              "Whether it can be forked, kept and taken back; if not said, unless restrictive."),
          Limits.BY_NAME,
          Limits.MEMORY,
          Limits.PROCESSORS);

  public static final Form<Bodies.KernelBody> KERNEL =
      new Form<>(
          "KernelCreateRequest",
          Bodies.KernelBody.class,
          fields(List.of(List.of(NAME), OPTIONS, List.of(FROM_CLIENT))));

  /// For the kernel that an execution or a session makes: its name is in the path.
  public static final Form<Bodies.KernelBody> SESSION =
      new Form<>(
          "SessionCreateRequest",
          Bodies.KernelBody.class,
          fields(List.of(OPTIONS, List.of(FROM_CLIENT))));

  private static final Form<Bodies.KernelBody> NEW_KERNEL =
      new Form<>("KernelOptions", Bodies.KernelBody.class, OPTIONS);

  private static final List<Field> CODE =
      List.of(
          Field.required("code", TEXT, "The code to run.").like("import math\nmath.sqrt(81)"),
          Field.usually(
              "python",
              "language",
              new Choice(List.of("python", "bash"), Forms::isLanguage),
              "`python` is the kernel's own language, `bash` its persistent shell (also `sh`,"
                  + " `shell`)."));

  private static final List<Field> MANNER =
      List.of(
          Field.optional("output_limit", new Whole(0), "Characters kept of each text; 0: all."),
          Field.usually(
              false, "one_shot", FLAG, "For bash: a fresh shell instead of the kernel's."),
          Field.optional(
              "execution_id",
              TEXT,
              "32 hexadecimal digits of your own, to cancel it or fetch its result by."),
          Field.usually(
              false, "create", FLAG, "Make the kernel if its name is new, with `options`."),
          Field.usually(
              false, "attempt", FLAG, "Count it as one attempt of a retry that you drive."),
          Field.optional(
              "rollback",
              new Choice(List.of("never", "on_error", "always"), Forms::isRollback),
              "When variables and files go back to what they were before: `never` (if left out),"
                  + " `on_error`, `always`."),
          Field.usually(
              false,
              "preview",
              FLAG,
              "Tell its `effects`, and wait with them for `…/preview/keep` or `…/preview/discard`;"
                  + " `rollback` may decide at once. Not for retries."),
          Field.usually(
              false,
              "cancel_on_disconnect",
              FLAG,
              "Cancel it when the caller goes away before it has ended."),
          Field.optional("options", new Nested(NEW_KERNEL), "How a kernel made for it is to be."),
          FROM_CLIENT);

  private static final List<Field> RETRY =
      List.of(
          Field.optional(
                  "max_attempts",
                  new Whole(1),
                  "How often it may be tried; the server's setting if left out.")
              .like(5),
          Field.usually(
                  List.of(),
                  "replacement_codes",
                  new ListOfText(),
                  "What to run instead after the first failure, the second, and so on; the last is"
                      + " repeated.")
              .like(List.of("x = 41\nx + 1")),
          Field.usually(
              List.of(),
              "on_error_code",
              new TextOrList(),
              "Another spelling of `replacement_codes`; one text or several."));

  public static final Form<Bodies.ExecuteBody> EXECUTE =
      execution("ExecuteRequest", SHORTEST_TIMEOUT, List.of());
  public static final Form<Bodies.ExecuteBody> EXECUTE_WITH_RETRY =
      execution("RetryExecuteRequest", SHORTEST_TIMEOUT, RETRY);

  /// As Husk's own clients send it, who say by a timeout of 0 that there is none.
  static final Form<Bodies.ExecuteBody> EXECUTE_FOR_CLIENT = execution("ExecuteRequest", 0, RETRY);

  private Forms() {}

  /// Every form that a description of the API has to show.
  public static List<Form<?>> all() {
    return List.of(CLIENT, KERNEL, SESSION, NEW_KERNEL, EXECUTE, EXECUTE_WITH_RETRY);
  }

  private static Form<Bodies.ExecuteBody> execution(
      String name, double shortest, List<Field> more) {
    var timeout =
        Field.optional(
                "timeout",
                Real.seconds(shortest),
                "Seconds it may run, from when it starts; the server's setting if left out.")
            .like(30);
    return new Form<>(
        name, Bodies.ExecuteBody.class, fields(List.of(CODE, List.of(timeout), more, MANNER)));
  }

  private static List<Field> fields(List<List<Field>> groups) {
    return groups.stream().flatMap(List::stream).toList();
  }

  private static boolean isRollback(String word) {
    try {
      Rollback.of(word);
      return true;
    } catch (Problem unknown) {
      return false;
    }
  }

  private static boolean isLanguage(String word) {
    try {
      Language.of(word);
      return true;
    } catch (Problem unsupported) {
      return false;
    }
  }
}
