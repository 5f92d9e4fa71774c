package husk.api.jupyter;

import husk.wire.Json;
import husk.wire.Utf8;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Finds the values of a JSON object in its text, so that they can be passed on as they are.
final class JsonPieces {
  private final byte[] json;
  private final Map<String, byte[]> objects = new HashMap<>();
  private final Map<String, String> strings = new HashMap<>();

  private JsonPieces(byte[] json) {
    this.json = json;
  }

  static JsonPieces of(byte[] json) throws Refused {
    var pieces = new JsonPieces(json);
    pieces.read();
    return pieces;
  }

  /// Refuses what is not an object.
  static void requireObject(byte[] json) throws Refused {
    of(json);
  }

  /// The text of an object; an empty object when it is missing or null.
  byte[] object(String name) {
    return objects.getOrDefault(name, new byte[] {'{', '}'});
  }

  boolean has(String name) {
    return objects.containsKey(name);
  }

  String string(String name, String absent) {
    return strings.getOrDefault(name, absent);
  }

  private void read() throws Refused {
    if (!Utf8.valid(ByteBuffer.wrap(json))) {
      throw new Refused(CloseReason.NOT_CONSISTENT, "JSON that is not UTF-8");
    }
    try (var parser = Json.MAPPER.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new Refused(CloseReason.NOT_CONSISTENT, "a message that is not a JSON object");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        value(parser);
      }
      if (parser.nextToken() != null) {
        throw new Refused(CloseReason.NOT_CONSISTENT, "something after the JSON of a message");
      }
    } catch (JacksonException e) {
      throw new Refused(CloseReason.NOT_CONSISTENT, "a message that is not JSON");
    }
  }

  private void value(JsonParser parser) {
    var name = parser.currentName();
    switch (parser.nextToken()) {
      case START_OBJECT -> {
        int begin = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        int end = (int) parser.currentLocation().getByteOffset();
        objects.put(name, Arrays.copyOfRange(json, begin, end));
      }
      case VALUE_STRING -> strings.put(name, parser.getString());
      default -> parser.skipChildren();
    }
  }
}
