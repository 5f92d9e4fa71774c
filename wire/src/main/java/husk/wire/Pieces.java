package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads the pieces of JSON of a message that a kernel wrote, which may be hostile.
///
/// Values take far more memory than the few characters they are written with, so their number is
/// limited too. Kernels write `NaN` where JSON has no word for it.
final class Pieces {
  private static final int LARGEST_HEADER = 256 * 1024;
  private static final long MOST_TOKENS = 2_000_000;

  /// A header is kept as long as its message waits.
  private static final long MOST_TOKENS_OF_HEADER = 2_000;

  private static final JsonMapper MAPPER = mapper(MOST_TOKENS);
  private static final JsonMapper HEADERS = mapper(MOST_TOKENS_OF_HEADER);

  private Pieces() {}

  private static JsonMapper mapper(long mostTokens) {
    return JsonMapper.builder(
            JsonFactory.builder()
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNestingDepth(1000)
                        .maxTokenCount(mostTokens)
                        .build())
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .build())
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }

  /// A header, or the header of the message that is answered: an object, and never a large one.
  static ObjectNode header(byte[] json, String part) throws MalformedMessage {
    if (json.length > LARGEST_HEADER) {
      throw new MalformedMessage("a message's " + part + " has " + json.length + " bytes");
    }
    return object(HEADERS, json, part);
  }

  static ObjectNode object(byte[] json, String part) throws MalformedMessage {
    return object(MAPPER, json, part);
  }

  /// Whatever Jackson throws becomes a [MalformedMessage], so that no input can end a reader's
  /// thread.
  private static ObjectNode object(JsonMapper mapper, byte[] json, String part)
      throws MalformedMessage {
    JsonNode node;
    try {
      node = mapper.readTree(json);
    } catch (RuntimeException | StackOverflowError e) {
      throw new MalformedMessage("a message's " + part + " is not JSON", e);
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new MalformedMessage("a message's " + part + " is not an object");
  }

  /// A content, or a note in its place that it was too large. Kernels send the undecodable bytes of
  /// a file name or of a program's output as they are: what is not UTF-8 is replaced, as Jupyter's
  /// own clients do.
  static ObjectNode content(byte[] json) throws MalformedMessage {
    try {
      return object(json, "content");
    } catch (MalformedMessage e) {
      if (e.getCause() instanceof StreamConstraintsException) {
        return oversized();
      }
      var replaced = new String(json, UTF_8);
      if (replaced.indexOf('\uFFFD') < 0) {
        throw e;
      }
      return object(replaced.getBytes(UTF_8), "content");
    }
  }

  static ObjectNode oversized() {
    return Json.MAPPER.createObjectNode().put(MessageCodec.OVERSIZED, true);
  }
}
