package husk.api.rest;

import husk.model.Checkpoint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A checkpoint as callers see it.
record CheckpointView(
    String id, Optional<String> label, Instant createdAt, boolean files, long pid, long startTime) {
  static final List<String> HEADER = List.of("LABEL", "CREATED", "FILES", "ID");

  static CheckpointView of(Checkpoint checkpoint) {
    return new CheckpointView(
        checkpoint.id(),
        checkpoint.label(),
        checkpoint.createdAt(),
        checkpoint.files(),
        checkpoint.process().pid(),
        checkpoint.process().startTime());
  }

  static List<CheckpointView> of(List<Checkpoint> checkpoints) {
    return checkpoints.stream().map(CheckpointView::of).toList();
  }

  List<String> row() {
    return List.of(label.orElse("-"), createdAt.toString(), files ? "kept" : "-", id);
  }
}
