package husk.api.sandboxes;

import husk.model.Problem;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// What is being sent to callers at this moment, so that other requests reach its input: one HTTP
/// request has one direction, a command has two.
///
/// @param <T> what a line leads to
final class Lines<T> {
  private final String kind;
  private final Map<Place, List<T>> open = new ConcurrentHashMap<>();

  /// @param kind what callers call it
  Lines(String kind) {
    this.kind = kind;
  }

  private record Place(String sandbox, String id) {}

  /// Lets a line be found until it is let go of. Several may lead to the same command.
  Held hold(String sandbox, String id, T line) {
    var place = new Place(sandbox, id);
    open.compute(place, (_, lines) -> with(lines == null ? List.of() : lines, line));
    return () ->
        open.computeIfPresent(place, (_, lines) -> lines.remove(line) ? some(lines) : lines);
  }

  private List<T> with(List<T> lines, T line) {
    var more = new CopyOnWriteArrayList<>(lines);
    more.add(line);
    return more;
  }

  private @org.jspecify.annotations.Nullable List<T> some(List<T> lines) {
    return lines.isEmpty() ? null : lines;
  }

  /// Nothing can go wrong when it is let go of.
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  T require(String sandbox, String id) {
    return open.getOrDefault(new Place(sandbox, id), List.of()).stream()
        .findFirst()
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.NOT_FOUND_INSIDE,
                    "%s `%s` of sandbox `%s` has ended, or nobody is sent its output"
                        .formatted(kind, id, sandbox),
                    "only what is being streamed takes input"));
  }
}
