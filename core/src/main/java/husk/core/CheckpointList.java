package husk.core;

import husk.kernels.PrivateFiles;
import husk.kernels.ProcFs;
import husk.model.Checkpoint;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The checkpoints of one kernel, the oldest first, in a file of its folder: they outlive this
/// process, and end with the machine as the frozen copies do.
final class CheckpointList {
  private final Path file;

  CheckpointList(Path directory) {
    this.file = directory.resolve("checkpoints.json");
  }

  /// Those whose frozen copy lives.
  synchronized List<Checkpoint> alive() {
    return read().stream().filter(one -> ProcFs.alive(one.process())).toList();
  }

  synchronized void add(Checkpoint checkpoint) {
    var all = new ArrayList<>(alive());
    all.add(checkpoint);
    write(all);
  }

  synchronized void remove(Checkpoint checkpoint) {
    write(read().stream().filter(one -> !one.id().equals(checkpoint.id())).toList());
  }

  private List<Checkpoint> read() {
    try {
      return List.of(Json.MAPPER.readValue(Files.readAllBytes(file), Checkpoint[].class));
    } catch (IOException none) {
      return List.of();
    }
  }

  private void write(List<Checkpoint> checkpoints) {
    PrivateFiles.write(file, Json.text(checkpoints));
  }
}
