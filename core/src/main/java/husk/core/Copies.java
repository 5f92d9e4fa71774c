package husk.core;

import husk.kernels.KernelClient;
import husk.kernels.Threads;
import husk.kernels.WarmParent;
import husk.model.Hazard;
import husk.model.Ids;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Snapshots of living kernels: frozen copies of their processes, from which kernels are started.
///
/// Two are asked for each: the kernel parks between two cells, and its warm parent has the memory
/// copied meanwhile. Whoever calls holds the kernel's turn.
final class Copies {
  /// How long somebody else's cell may keep a kernel from parking.
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final int PARKED_SECONDS = 15;

  private final Kernels kernels;

  Copies(Kernels kernels) {
    this.kernels = kernels;
  }

  /// A frozen copy.
  record Snapshot(String id, KernelProcess process, List<Hazard> hazards) {}

  Snapshot take(KernelRecord record, boolean proceed) {
    var stored = kernels.launch(record.kernelId());
    LiveStateRule.require(record, stored);
    var parent = kernels.parents().of(stored.interpreter());
    var id = Ids.fresh().substring(0, 12);
    try (var aside = Executors.newVirtualThreadPerTaskExecutor()) {
      var copied =
          CompletableFuture.supplyAsync(
              () -> parent.snapshot(record.kernelId(), stored.launch().directory(), id), aside);
      List<Hazard> hazards;
      try {
        hazards = park(record, KernelFiles.covered(stored), kernels.client(record), id, proceed);
      } catch (RuntimeException e) {
        dropUntilGivenUp(parent, id, copied);
        throw e;
      }
      return new Snapshot(id, Outcome.of(copied), hazards);
    }
  }

  /// The warm parent may hear of the end before it hears of the beginning.
  private static void dropUntilGivenUp(WarmParent parent, String id, CompletableFuture<?> copied) {
    parent.drop(id);
    while (!copied.isDone()) {
      Threads.sleep(2);
      parent.drop(id);
    }
  }

  private static List<Hazard> park(
      KernelRecord record, boolean ownFiles, KernelClient client, String id, boolean proceed) {
    var content = Json.MAPPER.createObjectNode();
    content.put("snapshot_id", id).put("proceed", proceed).put("seconds", PARKED_SECONDS);
    content.put("files", ownFiles);
    var reply = client.askInTurn("husk_park_request", content, PATIENCE).content();
    var hazards = hazards(reply.path("hazards"));
    return switch (reply.path("status").asString("")) {
      case "ok" -> hazards;
      case "refused" -> throw refused(record, hazards);
      case "failed" ->
          throw new Problem(
              Problem.Code.COPY_FAILED,
              "kernel `"
                  + shown(record)
                  + "` cannot be copied: "
                  + reply.path("reason").asString("it does not say why"),
              "its log says more: `husk logs --name " + shown(record) + "`");
      case "unavailable" ->
          throw new Problem(
              Problem.Code.CAPABILITY_MISSING,
              "kernel `" + shown(record) + "` was started in a way that does not let it be copied",
              "restart it: `husk restart --name " + shown(record) + "`");
      default ->
          throw new Problem(
              Problem.Code.COPY_FAILED, "kernel `" + shown(record) + "` was not copied in time");
    };
  }

  private static List<Hazard> hazards(JsonNode list) {
    return list.valueStream()
        .map(
            one ->
                new Hazard(
                    one.path("kind").asString(""),
                    one.path("name").asString(""),
                    one.path("fate").asString("")))
        .toList();
  }

  private static Problem refused(KernelRecord record, List<Hazard> hazards) {
    return new Problem(
            Problem.Code.COPY_REFUSED,
            "a copy of kernel `"
                + shown(record)
                + "` would not be whole: "
                + hazards.stream().map(Hazard::toString).collect(Collectors.joining(", ")),
            "end or close them first",
            "or copy it all the same: `--proceed` (`proceed` in requests)")
        .dueTo(hazards);
  }

  static String shown(KernelRecord record) {
    return record.name().orElse(record.kernelId());
  }

  void drop(String kernelId, String snapshotId) {
    kernels.parents().of(kernels.launch(kernelId).interpreter()).drop(snapshotId);
  }
}
