package husk.core;

import husk.kernels.PrivateFiles;
import husk.kernels.ProcFs;
import husk.model.Checkpoint;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/// The checkpoints of one kernel, the oldest first, in a file of its folder: they outlive this
/// process, and end with the machine as the frozen copies do.
final class CheckpointList {
  /// Changes are read, made and written: one at a time, whoever makes them.
  private static final ReentrantLock CHANGES = new ReentrantLock();

  private final Path file;

  CheckpointList(Path directory) {
    this.file = directory.resolve("checkpoints.json");
  }

  /// Those whose frozen copy lives.
  List<Checkpoint> alive() {
    return read().stream().filter(one -> ProcFs.alive(one.process())).toList();
  }

  void add(Checkpoint checkpoint) {
    change(
        all ->
            Stream.concat(
                all.stream().filter(one -> ProcFs.alive(one.process())), Stream.of(checkpoint)));
  }

  void remove(Checkpoint checkpoint) {
    change(all -> all.stream().filter(one -> !one.id().equals(checkpoint.id())));
  }

  private void change(Function<List<Checkpoint>, Stream<Checkpoint>> change) {
    CHANGES.lock();
    try {
      write(change.apply(read()).toList());
    } finally {
      CHANGES.unlock();
    }
  }

  private List<Checkpoint> read() {
    try {
      return List.of(Json.MAPPER.readValue(Files.readAllBytes(file), Checkpoint[].class));
    } catch (IOException | JacksonException none) {
      // There is none, or it makes no sense: half of one was written by whoever was killed.
      return List.of();
    }
  }

  private void write(List<Checkpoint> checkpoints) {
    PrivateFiles.write(file, Json.text(checkpoints));
  }
}
