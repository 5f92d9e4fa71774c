package husk.model;

import java.util.List;

/// Variables that came, went, or are not what they were, each list by name.
public record VariableChanges(
    List<VariableChange> added, List<VariableChange> removed, List<VariableChange> changed) {
  public VariableChanges {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changed = List.copyOf(changed);
  }

  public boolean none() {
    return added.isEmpty() && removed.isEmpty() && changed.isEmpty();
  }
}
