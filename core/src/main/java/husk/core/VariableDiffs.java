package husk.core;

import husk.core.Look.Seen;
import husk.model.VariableChange;
import husk.model.VariableChanges;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/// Compares what two looks saw.
final class VariableDiffs {
  private VariableDiffs() {}

  static VariableChanges between(Map<String, Seen> before, Map<String, Seen> after) {
    var added = new ArrayList<VariableChange>();
    var removed = new ArrayList<VariableChange>();
    var changed = new ArrayList<VariableChange>();
    after.forEach(
        (name, now) -> {
          var then = before.get(name);
          if (then == null) {
            added.add(change(name, Optional.empty(), Optional.of(now)));
          } else if (now.differsFrom(then)) {
            changed.add(change(name, Optional.of(then), Optional.of(now)));
          }
        });
    before.forEach(
        (name, then) -> {
          if (!after.containsKey(name)) {
            removed.add(change(name, Optional.of(then), Optional.empty()));
          }
        });
    return new VariableChanges(added, removed, changed);
  }

  private static VariableChange change(String name, Optional<Seen> before, Optional<Seen> after) {
    return new VariableChange(name, before.map(Seen::shown), after.map(Seen::shown));
  }
}
