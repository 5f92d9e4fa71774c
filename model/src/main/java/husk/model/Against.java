package husk.model;

/// What a kernel's present state is compared with.
public sealed interface Against {
  /// Its latest checkpoint.
  record Latest() implements Against {}

  /// The checkpoint of this label or id.
  record State(String checkpoint) implements Against {}

  /// Another kernel as it is now, by its name or id: a fork, or what it was forked from.
  record Kernel(String kernel) implements Against {}

  Against LATEST = new Latest();

  static Against checkpoint(String labelOrId) {
    return new State(labelOrId);
  }

  static Against kernel(String nameOrId) {
    return new Kernel(nameOrId);
  }
}
