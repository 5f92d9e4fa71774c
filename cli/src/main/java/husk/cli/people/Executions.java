package husk.cli.people;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/// Executions: many in a table, one with what it printed, and the variants of `best-of`.
public final class Executions {
  private static final int LONGEST_CODE = 50;

  private Executions() {}

  public static String list(String json) {
    var table = new Table("EXECUTION", "STATUS", "STARTED", "TOOK", "CODE");
    for (var one : new Fields(json).objects("executions")) {
      table.row(
          one.text("execution_id"),
          one.text("status"),
          Spans.ago(one.text("started_at"), OffsetDateTime.now(ZoneOffset.UTC)),
          Spans.between(one.text("started_at"), one.text("ended_at")),
          firstLine(one.text("code")));
    }
    return table.or("Nothing was executed.");
  }

  private static String firstLine(String code) {
    String line = code.strip().lines().findFirst().orElse("");
    return line.length() > LONGEST_CODE ? line.substring(0, LONGEST_CODE) + "…" : line;
  }

  public static String result(String json) {
    var result = new Fields(json);
    var text = new StringBuilder();
    whole(text, result, "output");
    whole(text, result, "stderr");
    whole(text, result, "return_value");
    for (String line : result.object("error").strings("traceback")) {
      text.append(line.stripTrailing()).append('\n');
    }
    int images = result.objects("images").size();
    text.append(images == 0 ? "" : "images: " + images + "; `exec --images FOLDER` saves them\n");
    String effects = Differences.lines(result.object("effects"));
    text.append(effects.isEmpty() ? "" : "It changed:\n" + effects);
    boolean quiet = result.text("status").equals("success") && !text.isEmpty();
    return quiet ? text.toString() : text + "(" + result.text("status") + ")\n";
  }

  private static void whole(StringBuilder text, Fields result, String key) {
    if (result.has(key)) {
      String value = result.text(key);
      text.append(value).append(value.isEmpty() || value.endsWith("\n") ? "" : "\n");
    }
  }

  public static String bestOf(String json) {
    var answer = new Fields(json);
    var table = new Table("", "VARIANT", "STATUS", "SCORE", "CODE");
    for (var variant : answer.objects("variants")) {
      String index = variant.text("index");
      table.row(
          index.equals(answer.text("winner")) ? "*" : "",
          index,
          variant.object("result").text("status"),
          variant.has("score_error") ? variant.text("score_error") : variant.text("score"),
          firstLine(variant.text("code")));
    }
    return table + outcome(answer) + Checkpoints.hazards(answer);
  }

  private static String outcome(Fields answer) {
    if (!answer.has("winner")) {
      return "None of them won; the kernel is as it was.\n";
    }
    String won = "Variant " + answer.text("winner") + " won";
    return won + (answer.is("promoted") ? ", and the kernel is as it left it.\n" : ".\n");
  }

  public static String commands(String json) {
    var table = new Table("ID", "STATUS", "EXIT", "STARTED", "COMMAND");
    for (var one : Fields.all(json)) {
      table.row(
          one.text("id"),
          one.text("status"),
          one.text("exit_code"),
          Spans.ago(one.text("started_at"), OffsetDateTime.now(ZoneOffset.UTC)),
          String.join(" ", one.strings("command")));
    }
    return table.or("No command runs or ran there.");
  }
}
