package husk.core;

import husk.kernels.KernelClient;
import husk.model.Problem;
import husk.model.StartedProcess;
import husk.model.Variable;
import husk.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// What one of Husk's own kernels tells of itself between two cells. Nothing in the kernel changes
/// by being asked.
///
/// @param variables those of the user's, by name
/// @param processes those started while they were watched
/// @param partial whether something could not be looked at, or was more than is told
record Look(Map<String, Seen> variables, List<StartedProcess> processes, boolean partial) {
  /// Time for the values themselves, which the kernel holds to, and for its cell before it.
  private static final int SECONDS = 10;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Whether processes are noted from this look on, or were until it.
  enum Watch {
    NONE,
    BEGIN,
    END
  }

  /// A variable, and how a change of it is seen.
  ///
  /// @param digest of its content; empty for what cannot be pickled
  /// @param identity where it lies in memory, which copies have in common
  record Seen(Variable shown, Optional<String> digest, long identity) {
    boolean differsFrom(Seen other) {
      if (digest.isPresent() && other.digest.isPresent()) {
        return !digest.equals(other.digest);
      }
      return identity != other.identity || !shown.equals(other.shown);
    }
  }

  /// Asks a kernel, for whoever has its turn.
  static Look at(KernelClient client, Watch watch) {
    var content = Json.MAPPER.createObjectNode().put("seconds", SECONDS);
    switch (watch) {
      case NONE -> {}
      case BEGIN -> content.put("watch", "begin");
      case END -> content.put("watch", "end");
    }
    var reply = client.askInTurn("husk_look_request", content, PATIENCE).content();
    if (!reply.path("status").asString("").equals("ok")) {
      throw new Problem(
          Problem.Code.KERNEL_UNRESPONSIVE,
          "the kernel cannot look at its variables: " + reply.path("reason").asString("no reason"),
          "it may have too little memory, or too many processes: look at its log");
    }
    return new Look(
        variables(reply.path("variables")),
        reply.path("processes").valueStream().map(Look::process).toList(),
        reply.path("partial").asBoolean(false));
  }

  private static Map<String, Seen> variables(JsonNode told) {
    var variables = new TreeMap<String, Seen>();
    told.properties().forEach(one -> variables.put(one.getKey(), seen(one.getValue())));
    return variables;
  }

  private static Seen seen(JsonNode told) {
    var shape =
        told.path("shape").isArray()
            ? Optional.of(told.path("shape").valueStream().map(it -> it.asLong(0)).toList())
            : Optional.<List<Long>>empty();
    var size =
        told.path("size").isNumber()
            ? Optional.of(told.path("size").asLong(0))
            : Optional.<Long>empty();
    return new Seen(
        new Variable(told.path("type").asString("?"), shape, size),
        told.path("digest").stringValueOpt(),
        told.path("identity").asLong(0));
  }

  private static StartedProcess process(JsonNode told) {
    return new StartedProcess(
        told.path("argv").valueStream().map(word -> word.asString("")).toList(),
        told.path("running").asBoolean(false));
  }
}
