package husk.api.form;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// One of a few words.
///
/// @param named the words callers are told of
/// @param accepts says which are taken; other spellings may be
public record Choice(List<String> named, Predicate<String> accepts) implements Type {
  public Choice {
    named = List.copyOf(named);
  }

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (!input.isString() || !accepts.test(input.stringValue())) {
      var expected = expected();
      findings.add(
          "literal_error",
          place,
          "Input should be " + expected,
          input,
          Map.of("expected", expected));
    }
    return input;
  }

  private String expected() {
    var quoted = named.stream().map(word -> "'" + word + "'").toList();
    int last = quoted.size() - 1;
    return last == 0
        ? quoted.getFirst()
        : String.join(", ", quoted.subList(0, last)) + " or " + quoted.get(last);
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.oneOfWords(named);
  }
}
