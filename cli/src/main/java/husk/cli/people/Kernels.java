package husk.cli.people;

import java.util.List;

/// Kernels, one and many.
public final class Kernels {
  private Kernels() {}

  public static String list(String json) {
    return table(new Fields(json).objects("kernels"))
        .or("There are no kernels. `husk exec --name NAME CODE` makes one.");
  }

  private static Table table(List<Fields> kernels) {
    var table = new Table("NAME", "STATUS", "KERNEL", "MEMORY", "AGE", "ID");
    for (var kernel : kernels) {
      table.row(
          kernel.text("name"),
          kernel.text("status"),
          kernel.text("kernel"),
          memory(kernel),
          Spans.words(kernel.number("age_seconds")),
          kernel.text("kernel_id"));
    }
    return table;
  }

  private static String memory(Fields kernel) {
    return kernel.has("memory") ? (long) (kernel.number("memory") / (1 << 20)) + " MiB" : "-";
  }

  public static View did(String verb) {
    return json -> "Kernel '" + new Fields(json).text("name") + "' " + verb + ".\n";
  }

  public static String status(String json) {
    var answer = new Fields(json);
    var kernel = answer.object("kernel");
    String state = answer.is("alive") ? kernel.text("status") : "dead";
    String unwell = answer.is("alive") && !answer.is("responsive") ? ", does not answer" : "";
    var text = new StringBuilder("Kernel '" + kernel.text("name") + "': " + state + unwell + "\n");
    line(text, "id", kernel.text("kernel_id"));
    line(text, "age", Spans.words(kernel.number("age_seconds")));
    line(text, "idle for at most", idle(kernel.number("idle_timeout")));
    line(text, "memory", memory(kernel));
    line(text, "process", kernel.text("pid"));
    line(text, "runs in", kernel.text("backend") + ", " + kernel.text("cwd"));
    line(text, "python", kernel.text("python"));
    return text.toString();
  }

  private static String idle(double seconds) {
    return seconds == 0 ? "for ever" : Spans.words(seconds);
  }

  private static void line(StringBuilder text, String what, String value) {
    if (!value.equals("-")) {
      text.append("  ")
          .append(what)
          .append(" ".repeat(18 - what.length()))
          .append(value)
          .append('\n');
    }
  }

  public static String forked(String json) {
    var answer = new Fields(json);
    return table(answer.objects("kernels")) + Checkpoints.hazards(answer);
  }

  public static String destroyed(String json) {
    return new Fields(json).is("destroyed") ? "Destroyed.\n" : "Nothing was destroyed.\n";
  }

  public static String wiped(String json) {
    int count = new Fields(json).strings("destroyed").size();
    return count == 1 ? "1 kernel destroyed.\n" : count + " kernels destroyed.\n";
  }

  public static String interrupted(String json) {
    return new Fields(json).is("interrupted") ? "Interrupted.\n" : "Nothing was running.\n";
  }

  public static String decided(String json) {
    var answer = new Fields(json);
    return "What the preview of '"
        + answer.object("kernel").text("name")
        + "' did is "
        + answer.text("decision")
        + ".\n";
  }
}
