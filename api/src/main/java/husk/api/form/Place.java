package husk.api.form;

import java.util.List;
import java.util.stream.Stream;

/// Where in a request something stands: `body` or `query`, then names and indices.
public record Place(List<Object> steps) {
  public static final Place BODY = new Place(List.of("body"));
  public static final Place QUERY = new Place(List.of("query"));

  public Place {
    steps = List.copyOf(steps);
  }

  /// A place inside this one: a field's name, or an index.
  public Place at(Object step) {
    return new Place(Stream.concat(steps.stream(), Stream.of(step)).toList());
  }
}
