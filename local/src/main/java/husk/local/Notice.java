package husk.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// What the daemon has to say to whoever calls next, and to nobody after that.
public final class Notice {
  private Notice() {}

  /// Takes it, if there is one; one of several callers gets it.
  public static Optional<String> take(Locations locations) {
    Path notice = locations.notice();
    if (!Files.exists(notice)) {
      return Optional.empty();
    }
    try {
      var mine = notice.resolveSibling("notice." + ProcessHandle.current().pid());
      Files.move(notice, mine);
      var text = Files.readString(mine).strip();
      Files.delete(mine);
      return Optional.of(text);
    } catch (IOException taken) {
      return Optional.empty();
    }
  }
}
