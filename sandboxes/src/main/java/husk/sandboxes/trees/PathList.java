package husk.sandboxes.trees;

import java.util.List;

/// How many paths, and the first of them: relative to the folder, folders with a slash at the end.
public record PathList(int count, List<String> first) {

  /// No more are listed; all are counted.
  public static final int LISTED = 1000;

  public PathList {
    first = List.copyOf(first);
  }

  public boolean isEmpty() {
    return count == 0;
  }
}
