package husk.api.rest;

import husk.api.form.Field;
import husk.api.form.Flag;
import husk.api.form.Form;
import husk.api.form.ListOfText;
import husk.api.form.ListOfWhole;
import husk.api.form.Real;
import husk.api.form.Text;
import husk.api.form.Whole;
import java.util.List;

/// What callers may send about live state. Every field must be known: a `promote` that is
/// misspelled would replace a kernel that was to stay.
public final class LiveForms {
  private static final Text TEXT = new Text();
  private static final Flag FLAG = new Flag();

  private static final Field PROCEED =
      Field.usually(
          false,
          "proceed",
          FLAG,
          "Go on although a copy would lack something: threads, connections, child processes.");

  public static final Form<LiveBodies.ForkBody> FORK =
      form(
          "ForkRequest",
          LiveBodies.ForkBody.class,
          Field.optional(
                  "as", TEXT, "The copy's name; of several, they are NAME-1, NAME-2 and so on.")
              .like("attempt"),
          Field.optional("count", new Whole(1), "How many copies, 1 if left out; 100 at most.")
              .like(3),
          Field.optional(
              "names", new ListOfText(), "A name for each copy, instead of `as` and `count`."),
          PROCEED);

  public static final Form<LiveBodies.PromoteBody> PROMOTE =
      form(
          "PromoteRequest",
          LiveBodies.PromoteBody.class,
          Field.required("fork", TEXT, "The fork that takes the kernel's place: its name or id.")
              .like("attempt-2"));

  public static final Form<LiveBodies.CheckpointBody> CHECKPOINT =
      form(
          "CheckpointRequest",
          LiveBodies.CheckpointBody.class,
          Field.optional("label", TEXT, "A name for it, free among the kernel's checkpoints.")
              .like("clean-data"),
          PROCEED);

  public static final Form<LiveBodies.RollbackBody> ROLLBACK =
      form(
          "RollbackRequest",
          LiveBodies.RollbackBody.class,
          Field.optional("to", TEXT, "A checkpoint's label or id; the latest if left out.")
              .like("clean-data"));

  public static final Form<LiveBodies.BestOfBody> BEST_OF =
      form(
          "BestOfRequest",
          LiveBodies.BestOfBody.class,
          Field.required("codes", new ListOfText(), "Pieces of code to try; or one, with `seeds`.")
              .like(List.of("x = data.mean()", "x = data.median()")),
          Field.usually(
              List.of(),
              "seeds",
              new ListOfWhole(),
              "For the random numbers of Python, numpy and torch: one for each try."),
          Field.optional(
                  "score",
                  TEXT,
                  "An expression, evaluated after each try that succeeded: the highest wins."
                      + " Without it the first piece that succeeds does.")
              .like("-abs(x - 42)"),
          Field.optional(
                  "deadline",
                  Real.seconds(0),
                  "Seconds for all tries together; 0: none. The server's timeout if left out.")
              .like(30),
          Field.usually(true, "promote", FLAG, "Let the winner take the kernel's place."),
          PROCEED);

  public static final Form<LiveBodies.DecisionBody> DECISION =
      form("PreviewDecisionRequest", LiveBodies.DecisionBody.class);

  private LiveForms() {}

  /// Every form that a description of the API has to show.
  public static List<Form<?>> all() {
    return List.of(FORK, PROMOTE, CHECKPOINT, ROLLBACK, BEST_OF, DECISION);
  }

  private static <T> Form<T> form(String name, Class<T> type, Field... fields) {
    var all = new java.util.ArrayList<>(List.of(fields));
    all.add(Forms.FROM_CLIENT);
    return new Form<>(name, type, all).knowingAll();
  }
}
