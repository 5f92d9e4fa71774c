package husk.core.trust;

import java.util.ArrayList;
import java.util.List;

/// What has changed between two texts, line by line: `-` for what went, `+` for what came.
public final class LineDiff {
  /// Above this, what differs is told as a whole: nobody would read it line by line.
  private static final long MOST_COMPARISONS = 4_000_000;

  private static final int AROUND = 2;

  private final List<String> before;
  private final List<String> after;
  private final List<String> lines = new ArrayList<>();

  private LineDiff(List<String> before, List<String> after) {
    this.before = before;
    this.after = after;
  }

  /// The lines that differ with two around them, and `…` for what was left out.
  public static String of(String before, String after) {
    var diff = new LineDiff(before.lines().toList(), after.lines().toList());
    diff.compare();
    return diff.shortened();
  }

  private void compare() {
    int start = 0;
    int shorter = Math.min(before.size(), after.size());
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    before.subList(0, start).forEach(line -> lines.add("  " + line));
    middle(before.subList(start, before.size() - end), after.subList(start, after.size() - end));
    before.subList(before.size() - end, before.size()).forEach(line -> lines.add("  " + line));
  }

  private void middle(List<String> gone, List<String> come) {
    if ((long) gone.size() * come.size() > MOST_COMPARISONS) {
      gone.forEach(line -> lines.add("- " + line));
      come.forEach(line -> lines.add("+ " + line));
      return;
    }
    var longest = longest(gone, come);
    int i = 0;
    int j = 0;
    while (i < gone.size() || j < come.size()) {
      if (i < gone.size() && j < come.size() && gone.get(i).equals(come.get(j))) {
        lines.add("  " + gone.get(i++));
        j++;
      } else if (j == come.size() || (i < gone.size() && longest[i + 1][j] >= longest[i][j + 1])) {
        lines.add("- " + gone.get(i++));
      } else {
        lines.add("+ " + come.get(j++));
      }
    }
  }

  /// How many lines two ends of the texts have in common, in order.
  private static int[][] longest(List<String> gone, List<String> come) {
    var longest = new int[gone.size() + 1][come.size() + 1];
    for (int i = gone.size() - 1; i >= 0; i--) {
      for (int j = come.size() - 1; j >= 0; j--) {
        longest[i][j] =
            gone.get(i).equals(come.get(j))
                ? longest[i + 1][j + 1] + 1
                : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    return longest;
  }

  private String shortened() {
    var text = new StringBuilder();
    boolean left = false;
    for (int i = 0; i < lines.size(); i++) {
      if (near(i)) {
        text.append(left ? "  …\n" : "").append(lines.get(i)).append('\n');
      }
      left = !near(i);
    }
    return text.append(left && !text.isEmpty() ? "  …\n" : "").toString();
  }

  private boolean near(int index) {
    for (int i = Math.max(0, index - AROUND);
        i <= Math.min(lines.size() - 1, index + AROUND);
        i++) {
      if (!lines.get(i).startsWith("  ")) {
        return true;
      }
    }
    return false;
  }
}
