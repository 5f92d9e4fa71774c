package husk.api.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One named value of a form or a query.
///
/// @param name as callers spell it
/// @param type what it may be
/// @param required whether it must be there
/// @param nullable whether `null` stands for leaving it out
/// @param description one sentence for callers
/// @param usual what it is when it is left out, where there is such a value
/// @param example a good one
public record Field(
    String name,
    Type type,
    boolean required,
    boolean nullable,
    String description,
    Optional<Object> usual,
    Optional<Object> example) {

  public static Field required(String name, Type type, String description) {
    return new Field(name, type, true, false, description, Optional.empty(), Optional.empty());
  }

  /// May be left out, or be `null`.
  public static Field optional(String name, Type type, String description) {
    return new Field(name, type, false, true, description, Optional.empty(), Optional.empty());
  }

  /// May be left out, which is the same as sending `usual`.
  public static Field usually(Object usual, String name, Type type, String description) {
    return new Field(name, type, false, false, description, Optional.of(usual), Optional.empty());
  }

  public Field like(Object good) {
    return new Field(name, type, required, nullable, description, usual, Optional.of(good));
  }

  public Map<String, Object> schema() {
    var kind = type.schema();
    var schema =
        new LinkedHashMap<String, Object>(
            nullable ? Schema.anyOf(List.of(kind, Schema.nothing())) : kind);
    schema.put("description", description);
    usual.ifPresent(value -> schema.put("default", value));
    example.ifPresent(value -> schema.put("examples", List.of(value)));
    return schema;
  }
}
