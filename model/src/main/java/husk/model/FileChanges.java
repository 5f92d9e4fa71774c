package husk.model;

import java.util.List;

/// Files and folders that came, changed and went, by the paths that the kernel knows them by;
/// folders with a slash at the end. Of very many the first are listed.
///
/// @param changed of another content, mode or kind
public record FileChanges(List<String> added, List<String> changed, List<String> deleted) {
  public FileChanges {
    added = List.copyOf(added);
    changed = List.copyOf(changed);
    deleted = List.copyOf(deleted);
  }

  public boolean none() {
    return added.isEmpty() && changed.isEmpty() && deleted.isEmpty();
  }
}
