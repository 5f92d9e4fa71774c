package husk.core;

/// Steps that are all taken, whatever becomes of each: for ends, which have to be reached from any
/// state.
final class Steps {
  private static final System.Logger LOG = System.getLogger("husk.core");

  private Steps() {}

  /// Takes one; false, with a line in the log, when it failed.
  static boolean take(String what, Runnable step) {
    try {
      step.run();
      return true;
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot " + what + ": " + e, e);
      return false;
    }
  }
}
