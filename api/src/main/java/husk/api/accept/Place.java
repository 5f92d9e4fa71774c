package husk.api.accept;

/// A place among the requests that are worked on. It is lent to others while its own caller is
/// waited for.
public interface Place {
  void pause();

  /// Takes it back, or throws a [husk.model.Problem] when none becomes free for a while.
  void resume();

  /// Takes it back even if there are more at work then: an answer that has begun goes on.
  void resumeAnyway();

  /// The place of whoever is not counted.
  Place NONE =
      new Place() {
        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void resumeAnyway() {}
      };
}
