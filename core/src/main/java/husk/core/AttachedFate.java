package husk.core;

import husk.model.Death;

/// What became of a kernel when somebody's line to it broke.
public sealed interface AttachedFate {
  /// The same process lives; only the line is lost.
  record Alive() implements AttachedFate {}

  /// Somebody starts, or has started, a new process in its place.
  record Restarted() implements AttachedFate {}

  /// Another state of it takes its place: it was rolled back, or a fork was promoted.
  record Replaced() implements AttachedFate {}

  /// Its process ended, and nobody has started another yet.
  record Died(Death death) implements AttachedFate {}

  /// It was destroyed and will not come back.
  record Destroyed() implements AttachedFate {}
}
