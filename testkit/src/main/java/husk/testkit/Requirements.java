package husk.testkit;

import org.opentest4j.TestAbortedException;

/// What a test needs of the machine. Where `husk.strict` is set nothing may be missing; elsewhere
/// the test is skipped and says why.
public final class Requirements {
  private Requirements() {}

  public static void need(boolean available, String what) {
    need(available, what, Boolean.getBoolean("husk.strict"));
  }

  static void need(boolean available, String what, boolean strict) {
    if (available) {
      return;
    }
    if (strict) {
      throw new AssertionError("this machine lacks " + what + ", and husk.strict allows no skips");
    }
    throw new TestAbortedException("skipped: this machine lacks " + what);
  }
}
