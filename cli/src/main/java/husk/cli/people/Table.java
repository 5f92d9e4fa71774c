package husk.cli.people;

import java.util.ArrayList;
import java.util.List;

/// Lines whose columns begin below each other.
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    row(headings);
  }

  Table row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /// What to say of no rows, or the table.
  String or(String nothing) {
    return rows.size() == 1 ? nothing + "\n" : toString();
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        line.append(cell).append(" ".repeat(width(i) - cell.length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    int width = 0;
    for (var row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }
}
