package husk.cli.people;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/// Checkpoints, one and many.
public final class Checkpoints {
  private Checkpoints() {}

  public static String list(String json) {
    var table = new Table("LABEL", "MADE", "FILES", "ID");
    for (var one : new Fields(json).objects("checkpoints")) {
      table.row(
          one.text("label"),
          Spans.ago(one.text("created_at"), OffsetDateTime.now(ZoneOffset.UTC)),
          one.is("files") ? "kept" : "not kept",
          one.text("id"));
    }
    return table.or("There are no checkpoints. `husk checkpoint NAME` makes one.");
  }

  public static String made(String json) {
    var answer = new Fields(json);
    var evicted = answer.strings("evicted");
    return "Checkpoint "
        + named(answer)
        + " made.\n"
        + (evicted.isEmpty() ? "" : "dropped for it: " + String.join(", ", evicted) + "\n")
        + hazards(answer);
  }

  public static String wentBack(String json) {
    var answer = new Fields(json);
    return "Kernel '"
        + answer.object("kernel").text("name")
        + "' is back at checkpoint "
        + named(answer)
        + ".\n";
  }

  public static String dropped(String json) {
    return new Fields(json).is("dropped") ? "Dropped.\n" : "There was nothing to drop.\n";
  }

  private static String named(Fields answer) {
    var checkpoint = answer.object("checkpoint");
    return checkpoint.has("label")
        ? "'" + checkpoint.text("label") + "' (" + checkpoint.text("id") + ")"
        : checkpoint.text("id");
  }

  /// What a copy does not hold.
  static String hazards(Fields answer) {
    var text = new StringBuilder();
    for (var hazard : answer.objects("hazards")) {
      text.append("not copied: ").append(hazard.text("kind")).append(' ');
      text.append(hazard.text("name")).append(": ").append(hazard.text("fate")).append('\n');
    }
    return text.toString();
  }
}
