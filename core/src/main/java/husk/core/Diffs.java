package husk.core;

import husk.model.Checkpoint;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.StateDiff;
import java.util.Optional;
import java.util.stream.Stream;

/// Compares the present state of a kernel with one of its checkpoints, or with another kernel.
final class Diffs {
  private final Kernels kernels;
  private final FileDiffs files;
  private final Places places;

  Diffs(Kernels kernels, FileDiffs files, Places places) {
    this.kernels = kernels;
    this.files = files;
    this.places = places;
  }

  /// What has changed since a checkpoint. The kernel runs nothing else meanwhile.
  StateDiff since(KernelRecord record, Checkpoint checkpoint) {
    var stored = ownLaunch(record);
    var turn = kernels.live(record.kernelId()).turn;
    turn.lock();
    try {
      var before = glimpse(record, checkpoint);
      var after = look(record);
      var compared =
          checkpoint.files()
              ? files.since(stored, checkpoint.id())
              : Optional.<FileDiffs.Compared>empty();
      return diff(checkpoint.label().orElse(checkpoint.id()), before, after, compared);
    } finally {
      turn.unlock();
    }
  }

  /// What a kernel looked like at a checkpoint.
  Look glimpse(KernelRecord record, Checkpoint checkpoint) {
    try (var then = Glimpse.of(kernels, places, record, checkpoint)) {
      return Look.at(then.client(), Look.Watch.NONE);
    }
  }

  /// How a kernel differs from another; what that one lacks is added.
  StateDiff with(KernelRecord record, KernelRecord other) {
    var before = ownLaunch(other);
    var after = ownLaunch(record);
    // In one order, whoever compares them: two who go opposite ways must not wait for each other.
    var turns =
        Stream.of(record, other)
            .map(KernelRecord::kernelId)
            .sorted()
            .map(id -> kernels.live(id).turn)
            .toList();
    turns.getFirst().lock();
    turns.getLast().lock();
    try {
      return diff(Copies.shown(other), look(other), look(record), files.between(before, after));
    } finally {
      turns.getLast().unlock();
      turns.getFirst().unlock();
    }
  }

  private Look look(KernelRecord record) {
    return Look.at(kernels.client(record), Look.Watch.NONE);
  }

  private StoredLaunch ownLaunch(KernelRecord record) {
    var stored = kernels.launch(record.kernelId());
    if (!stored.own()) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "kernel `"
              + Copies.shown(record)
              + "` runs `"
              + record.kernel()
              + "`, whose variables cannot be compared",
          "only those of Husk's own Python kernel can: create it without `--kernel`");
    }
    return stored;
  }

  private static StateDiff diff(
      String against, Look before, Look after, Optional<FileDiffs.Compared> files) {
    return new StateDiff(
        against,
        VariableDiffs.between(before.variables(), after.variables()),
        files.map(FileDiffs.Compared::changes),
        before.partial() || after.partial() || files.map(FileDiffs.Compared::more).orElse(false));
  }
}
