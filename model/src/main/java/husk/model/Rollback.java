package husk.model;

import java.util.Locale;

/// When an execution's effects on variables and files are taken back.
public enum Rollback {
  /// What it did stays, whatever comes of it.
  NEVER,
  /// Unless it succeeds: after an error, a timeout, a cancellation or the kernel's death.
  ON_ERROR,
  /// In any case: only its result stays.
  ALWAYS;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Rollback of(String wireName) {
    for (var one : values()) {
      if (one.wireName().equals(wireName.replace('-', '_'))) {
        return one;
      }
    }
    throw new Problem(
        Problem.Code.INVALID_REQUEST,
        "`" + wireName + "` is no way to roll back",
        "use `never`, `on_error` or `always`");
  }

  /// Whether an execution that ended so is taken back.
  public boolean applies(boolean succeeded) {
    return this == ALWAYS || (this == ON_ERROR && !succeeded);
  }
}
