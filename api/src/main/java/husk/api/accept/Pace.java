package husk.api.accept;

/// How patiently a body is waited for.
public enum Pace {
  /// All of it soon: it is read whole before anything is done.
  WHOLE,
  /// Something of it now and then: a file may take as long as it moves.
  FLOWING,
  /// Whenever it comes: somebody may be typing it.
  OPEN
}
