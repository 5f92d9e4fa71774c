package husk.model;

import java.util.List;

/// What taking a checkpoint gave.
///
/// @param checkpoint the new one
/// @param hazards what it does not hold of the kernel, if it was taken all the same
/// @param evicted older ones that were dropped to stay within the memory for checkpoints
public record CheckpointTaken(
    Checkpoint checkpoint, List<Hazard> hazards, List<Checkpoint> evicted) {
  public CheckpointTaken {
    hazards = List.copyOf(hazards);
    evicted = List.copyOf(evicted);
  }
}
