package husk.cli;

/// Finds the word a mistyped one was probably meant to be.
final class Nearest {
  private final String word;
  private String best = "";
  private int distance;

  Nearest(String word) {
    this.word = word;
    this.distance = Math.max(2, word.length() / 3) + 1;
  }

  void consider(String candidate) {
    boolean begun = word.length() > 3 && candidate.startsWith(word);
    int steps = begun ? 1 : steps(word, candidate);
    if (steps < distance) {
      distance = steps;
      best = candidate;
    }
  }

  /// `; did you mean …?`, or nothing.
  String question() {
    return best.isEmpty() ? "" : "; did you mean `" + best + "`?";
  }

  /// How many letters to change, add or leave out (Levenshtein).
  static int steps(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(above[j - 1] + change, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return above[to.length()];
  }
}
