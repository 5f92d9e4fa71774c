package husk.api.form;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A kind of value. Reading is as generous as pydantic's: `"5"` is a number, `"on"` is true.
public sealed interface Type
    permits Choice,
        Flag,
        ListOfText,
        ListOfWhole,
        MapOfText,
        MapOfWhole,
        Nested,
        Real,
        Text,
        TextOrList,
        TextOrWhole,
        Variables,
        Whole {

  /// The value as it is used from here on; when it is wrong, that is added to `findings`, and what
  /// is given back does not matter.
  JsonNode check(JsonNode input, Place place, Findings findings);

  /// The same in JSON Schema.
  Map<String, Object> schema();
}
