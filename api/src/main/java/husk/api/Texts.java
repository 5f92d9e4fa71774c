package husk.api;

import husk.model.Problem;
import java.util.ArrayList;
import java.util.List;

/// Answers for people: tables and sentences.
public final class Texts {
  private Texts() {}

  public static String problem(Problem problem) {
    var text = new StringBuilder("error: ").append(problem.text()).append('\n');
    if (!problem.remedies().isEmpty()) {
      text.append('\n');
      problem.remedies().forEach(remedy -> text.append("hint: ").append(remedy).append('\n'));
    }
    return text.toString();
  }

  /// Columns as wide as their widest cell.
  public static String table(List<String> header, List<List<String>> rows) {
    var all = new ArrayList<List<String>>();
    all.add(header);
    all.addAll(rows);
    var widths = new int[header.size()];
    for (var row : all) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (var row : all) {
      var line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  public static String bytes(long count) {
    return count < 10L << 20 ? (count >> 10) + " KiB" : (count >> 20) + " MiB";
  }
}
