package husk.api.form;

import husk.model.Problem;
import husk.wire.Json;
import tools.jackson.core.JacksonException;

/// How many values a body may have. Each takes far more memory than the few characters it is
/// written with.
public final class Values {
  private static final int MOST = 100_000;

  /// A body of so many bytes cannot have too many.
  private static final int HARMLESS = MOST;

  private Values() {}

  /// Refuses a body that has too many. What is no JSON is not told here.
  public static void requireFew(byte[] json) {
    if (json.length > HARMLESS && many(json)) {
      throw new Problem(
          Problem.Code.TOO_LARGE,
          "the request has more than " + MOST + " values and names",
          "write the data to a file, and let the code read it");
    }
  }

  private static boolean many(byte[] json) {
    try (var parser = Json.MAPPER.createParser(json)) {
      int count = 0;
      while (count <= MOST && parser.nextToken() != null) {
        count++;
      }
      return count > MOST;
    } catch (JacksonException e) {
      return false;
    }
  }
}
