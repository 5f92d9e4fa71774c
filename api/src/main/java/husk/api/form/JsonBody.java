package husk.api.form;

import husk.wire.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Bytes taken for JSON, or refused in the words of Python's own parser.
public final class JsonBody {
  /// What is neither JSON nor wrong at a place that could be named: too deep, or not even text.
  public static final String UNREADABLE = "There was an error parsing the body";

  private JsonBody() {}

  /// Empty when the bytes are no JSON and nobody can say where they begin not to be.
  public static Optional<JsonNode> parse(byte[] bytes) {
    try {
      return Optional.of(Json.MAPPER.readTree(bytes));
    } catch (JacksonException e) {
      var fault = decoded(bytes).flatMap(PythonJson::fault);
      if (fault.isPresent()) {
        throw InvalidRequest.notJson(
            fault.get().at(), fault.get().why(), Json.MAPPER.createObjectNode());
      }
      return Optional.empty();
    }
  }

  private static Optional<String> decoded(byte[] bytes) {
    try {
      var decoder = StandardCharsets.UTF_8.newDecoder();
      return Optional.of(decoder.decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /// There is no body where there must be one.
  public static InvalidRequest missing() {
    var findings = new Findings();
    findings.missing(Place.BODY);
    return findings.refusal();
  }
}
