package husk.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// A state of a kernel that it can be taken back to: a frozen copy of its process, which uses no
/// processor and shares its memory, and its files as they were.
///
/// @param id names it
/// @param label what its maker calls it
/// @param createdAt when it was taken
/// @param process the frozen copy
/// @param files whether the kernel's files were kept too
public record Checkpoint(
    String id, Optional<String> label, Instant createdAt, KernelProcess process, boolean files) {

  /// As fine as it is kept and sent, so that it is the same wherever it has been.
  public Checkpoint {
    createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
  }

  /// Whether it is meant by this id or label.
  public boolean is(String identifier) {
    return id.equals(identifier) || label.filter(identifier::equals).isPresent();
  }
}
