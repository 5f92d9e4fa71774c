package husk.core;

import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.Rollback;

/// What is left to do after an execution whose daemon was killed while it ran: it was to be taken
/// back, perhaps, or its effects were to be told. The state before it is still there.
final class Aftermath {
  private static final System.Logger LOG = System.getLogger("husk.core");

  private final Checkpoints checkpoints;
  private final Previews previews;

  Aftermath(Checkpoints checkpoints, Previews previews) {
    this.checkpoints = checkpoints;
    this.previews = previews;
  }

  /// The result as it would have been, for whoever has the kernel's turn.
  ExecutionResult of(KernelRecord record, InFlight request, ExecutionResult result) {
    var rollback = request.rollback().orElse(Rollback.NEVER);
    try {
      if (request.preview().orElse(false)) {
        return previews.resumed(record, rollback, result);
      }
      return rollback == Rollback.NEVER ? result : settled(record, rollback, result);
    } catch (RuntimeException undone) {
      LOG.log(System.Logger.Level.WARNING, "an execution was not seen through to its end", undone);
      return result;
    }
  }

  /// While it ran nobody could take another checkpoint, so the latest is the one before it.
  private ExecutionResult settled(KernelRecord record, Rollback rollback, ExecutionResult result) {
    var before = checkpoints.latest(record).filter(one -> one.label().isEmpty());
    if (before.isEmpty()) {
      return result;
    }
    boolean back = rollback.applies(result.ok());
    if (back) {
      checkpoints.rollback(record, before.get());
    }
    checkpoints.drop(record, before.get());
    return back ? result.takenBack() : result;
  }
}
