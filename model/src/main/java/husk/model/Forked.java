package husk.model;

import java.util.List;

/// What a fork gave.
///
/// @param kernels the new ones
/// @param hazards what they do not have of the original, if it was forked all the same
public record Forked(List<KernelRecord> kernels, List<Hazard> hazards) {
  public Forked {
    kernels = List.copyOf(kernels);
    hazards = List.copyOf(hazards);
  }
}
