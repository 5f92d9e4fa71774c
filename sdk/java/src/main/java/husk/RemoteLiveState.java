package husk;

import husk.local.JsonText;
import husk.model.Against;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.ForkRequest;
import husk.model.Forked;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.StateDiff;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Live state, asked of the daemon. What was asked once may have been done even if no answer came,
/// so it is never asked twice.
final class RemoteLiveState {
  private final Connections connections;
  private final String client;

  /// @param client what the daemon is told of this process
  RemoteLiveState(Connections connections, String client) {
    this.connections = connections;
    this.client = client;
  }

  Forked fork(String nameOrId, ForkRequest request) {
    var body = new JsonText().flag("proceed", request.proceed());
    var names = request.names().stream().flatMap(Optional::stream).toList();
    if (names.isEmpty()) {
      body.number("count", (long) request.names().size());
    } else if (names.size() == request.names().size()) {
      body.strings("names", names);
    } else {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "some of the copies have names and some have none",
          "name all of them, or none");
    }
    return post(nameOrId, "fork", body).as(LiveJson.Forks.class).forked();
  }

  Optional<String> forkedFrom(String nameOrId) {
    return connections
        .ask("GET", Paths.kernel(nameOrId), Bodies.NONE)
        .as(KernelJson.Health.class)
        .kernel()
        .forkedFrom();
  }

  KernelRecord promote(String nameOrId, String fork) {
    return post(nameOrId, "promote", new JsonText().text("fork", fork))
        .as(KernelJson.class)
        .record();
  }

  CheckpointTaken checkpoint(String nameOrId, Optional<String> label, boolean proceed) {
    var body = new JsonText().text("label", label).flag("proceed", proceed);
    return post(nameOrId, "checkpoints", body).as(LiveJson.Taken.class).taken();
  }

  List<Checkpoint> checkpoints(String nameOrId) {
    return connections
        .ask("GET", Paths.kernel(nameOrId) + "/checkpoints", Bodies.NONE)
        .as(LiveJson.All.class)
        .all();
  }

  Checkpoint rollback(String nameOrId, Optional<String> to) {
    return post(nameOrId, "rollback", new JsonText().text("to", to))
        .as(LiveJson.RolledBack.class)
        .checkpoint()
        .checkpoint();
  }

  void dropCheckpoint(String nameOrId, String checkpoint) {
    connections
        .askOnce("DELETE", Paths.checkpoint(nameOrId, checkpoint), Bodies.NONE)
        .throwProblem();
  }

  StateDiff diff(String nameOrId, Against against) {
    return connections.ask("GET", Paths.diff(nameOrId, against), Bodies.NONE).as(StateDiff.class);
  }

  KernelRecord decide(String nameOrId, String decision) {
    return post(nameOrId, "preview/" + decision, new JsonText())
        .as(LiveJson.Decided.class)
        .kernel()
        .record();
  }

  BestOf bestOf(String nameOrId, BestOfRequest request) {
    var body =
        new JsonText()
            .strings("codes", request.codes())
            .json("seeds", request.seeds().toString())
            .text("score", request.score())
            .flag("promote", request.promote())
            .flag("proceed", request.proceed());
    request.deadline().ifPresent(limit -> Bodies.seconds(body, "deadline", limit));
    return post(nameOrId, "best-of", body).as(BestOf.class);
  }

  private Reply post(String nameOrId, String what, JsonText body) {
    var bytes = body.json("client", client).toString().getBytes(StandardCharsets.UTF_8);
    return connections.askOnce("POST", Paths.kernel(nameOrId) + "/" + what, bytes);
  }
}
