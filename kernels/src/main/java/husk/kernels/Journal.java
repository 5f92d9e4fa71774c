package husk.kernels;

import husk.model.Problem;
import husk.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What Husk's own kernel remembers of an execution, for a client that was not there all the time.
///
/// @param state `running`, `finished`, `queued` or `unknown`
/// @param started when it began
/// @param content the kernel's whole answer
public record Journal(String state, Optional<Instant> started, JsonNode content) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  public static Journal ask(KernelClient client, String messageId) {
    var question = Json.MAPPER.createObjectNode().put("msg_id", messageId);
    var answer = client.ask("husk_execution_request", question, PATIENCE).content();
    return new Journal(
        answer.path("state").asString("unknown"), instant(answer.path("started")), answer);
  }

  /// Tells `cell` everything that was remembered.
  public void replay(Cell cell) {
    cell.accept("execute_input", Json.MAPPER.createObjectNode());
    for (var message : content.path("messages")) {
      cell.accept(message.path("msg_type").asString(""), message.path("content"));
    }
    if (truncated()) {
      cell.incomplete();
    }
    if (content.path("reply").isObject()) {
      cell.answer(content.path("reply"));
    }
    instant(content.path("ended"))
        .ifPresent(end -> started.ifPresent(start -> cell.lasted(Duration.between(start, end))));
  }

  public boolean truncated() {
    return content.path("truncated").asBoolean(false);
  }

  private static Optional<Instant> instant(JsonNode node) {
    try {
      return node.isString()
          ? Optional.of(OffsetDateTime.parse(node.asString()).toInstant())
          : Optional.empty();
    } catch (DateTimeParseException e) {
      throw new Problem(Problem.Code.INTERNAL, "the kernel gave an odd time: " + node).causedBy(e);
    }
  }
}
