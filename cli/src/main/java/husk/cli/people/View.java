package husk.cli.people;

/// Makes text for people of an answer in JSON.
@FunctionalInterface
public interface View {
  /// For answers that people read as they are.
  View AS_IT_IS = json -> json;

  /// The text, ending with a line break.
  String of(String json);
}
