package husk.gateway;

import java.util.LinkedHashSet;
import java.util.Set;

/// The latest messages, by id: a gateway that sends again what may have been missed cannot know
/// what was not.
final class Heard {
  private static final int REMEMBERED = 10_000;

  private final Set<String> ids = new LinkedHashSet<>();

  /// Whether a message is here for the first time. One without an id always is.
  synchronized boolean isNew(String id) {
    if (id.isEmpty()) {
      return true;
    }
    boolean added = ids.add(id);
    if (ids.size() > REMEMBERED) {
      ids.remove(ids.iterator().next());
    }
    return added;
  }
}
