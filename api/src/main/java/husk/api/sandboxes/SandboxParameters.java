package husk.api.sandboxes;

import husk.api.form.Choice;
import husk.api.form.Field;
import husk.api.form.Flag;
import husk.api.form.Text;
import husk.api.form.TextOrWhole;
import husk.api.form.Whole;
import java.util.List;

/// What may stand in the query of a request about sandboxes.
public final class SandboxParameters {
  private static final List<String> STREAMS = List.of("stdout", "stderr");

  public static final Field LABEL =
      Field.optional("label", new Text(), "KEY=VALUE that it must have; may come again.");
  public static final Field AFTER =
      Field.usually(0, "after", new Whole(0), "How many events the caller has seen.");
  public static final Field WAIT =
      Field.usually(0, "wait", new Whole(0), "Seconds to wait for one if there is none, up to 60.");
  public static final Field END =
      Field.usually(false, "end", new Flag(), "Nothing comes after this.");
  public static final Field ALL =
      Field.usually(false, "all", new Flag(), "Those that are not detached, too.");
  public static final Field STREAM =
      Field.optional("stream", new Choice(STREAMS, STREAMS::contains), "One of the two alone.");
  public static final Field FOLLOW =
      Field.usually(true, "follow", new Flag(), "As events or frames: what is still to come, too.");
  public static final Field SIGNAL =
      Field.usually("TERM", "signal", new TextOrWhole(), "A signal's name or number.");
  public static final Field PATH =
      Field.required("path", new Text(), "Absolute; symbolic links lead where they lead inside.");
  public static final Field MODE =
      Field.usually("644", "mode", new Text(), "Its rights, in octal figures.");
  public static final Field RECURSIVE =
      Field.usually(false, "recursive", new Flag(), "A folder with everything in it.");

  private SandboxParameters() {}
}
