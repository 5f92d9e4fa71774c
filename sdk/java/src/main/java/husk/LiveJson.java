package husk;

import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.Forked;
import husk.model.Hazard;
import husk.model.KernelProcess;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Live state as the daemon describes it.
final class LiveJson {
  private LiveJson() {}

  record Forks(List<KernelJson> kernels, List<Hazard> hazards) {
    Forked forked() {
      return new Forked(kernels.stream().map(KernelJson::record).toList(), hazards);
    }
  }

  record Kept(
      String id,
      Optional<String> label,
      Instant createdAt,
      boolean files,
      long pid,
      long startTime) {
    Checkpoint checkpoint() {
      return new Checkpoint(id, label, createdAt, new KernelProcess(pid, startTime), files);
    }
  }

  record Taken(Kept checkpoint, List<Hazard> hazards, List<Kept> evicted) {
    CheckpointTaken taken() {
      return new CheckpointTaken(
          checkpoint.checkpoint(), hazards, evicted.stream().map(Kept::checkpoint).toList());
    }
  }

  record All(List<Kept> checkpoints) {
    List<Checkpoint> all() {
      return checkpoints.stream().map(Kept::checkpoint).toList();
    }
  }

  record RolledBack(Kept checkpoint) {}

  record Decided(KernelJson kernel) {}
}
