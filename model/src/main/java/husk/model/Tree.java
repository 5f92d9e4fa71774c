package husk.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An object of JSON in the form of plain maps and lists, read without ever failing: a kernel may
/// send anything under any MIME type, and what is not as expected is absent.
record Tree(Map<?, ?> object) {

  static Optional<Tree> in(Map<String, Object> data, String key) {
    return data.get(key) instanceof Map<?, ?> found
        ? Optional.of(new Tree(found))
        : Optional.empty();
  }

  boolean has(String key) {
    return object.get(key) != null;
  }

  @Nullable Object value(String key) {
    return object.get(key);
  }

  /// The object there; an empty one if there is none.
  Tree at(String key) {
    return new Tree(object.get(key) instanceof Map<?, ?> found ? found : Map.of());
  }

  Optional<String> text(String key) {
    return object.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  Optional<Double> number(String key) {
    return object.get(key) instanceof Number number
        ? Optional.of(number.doubleValue())
        : Optional.empty();
  }

  boolean flag(String key) {
    return Boolean.TRUE.equals(object.get(key));
  }

  /// The objects in a list.
  List<Tree> all(String key) {
    return elements(key, Map.class).stream().map(it -> new Tree(it)).toList();
  }

  List<String> texts(String key) {
    return elements(key, String.class);
  }

  List<Double> numbers(String key) {
    return elements(key, Number.class).stream().map(Number::doubleValue).toList();
  }

  List<List<?>> lists(String key) {
    var lists = new ArrayList<List<?>>();
    elements(key, List.class).forEach(lists::add);
    return lists;
  }

  private <T> List<T> elements(String key, Class<T> type) {
    return object.get(key) instanceof List<?> list
        ? list.stream().filter(type::isInstance).map(type::cast).toList()
        : List.of();
  }

  /// All of it, by name, in its own order.
  Map<String, @Nullable Object> values() {
    var values = new LinkedHashMap<String, @Nullable Object>();
    object.forEach((key, value) -> values.put(String.valueOf(key), value));
    return Collections.unmodifiableMap(values);
  }
}
