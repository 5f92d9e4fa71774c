package husk.core;

import java.util.Map;
import java.util.Optional;

/// The sandbox a kernel lives in.
///
/// @param sandbox its name
/// @param own whether it was made for this kernel, and goes with it
/// @param profile what it may do, if it was
/// @param config a file of rules for it, if there is one
/// @param directory of the host, where such rules begin
/// @param limits that were asked for; the profile's where it says nothing
public record KernelHome(
    String sandbox,
    boolean own,
    Optional<String> profile,
    Optional<String> config,
    Optional<String> directory,
    Optional<Map<String, Long>> limits) {

  /// One that others made.
  static KernelHome shared(String sandbox) {
    return bare(sandbox, false);
  }

  /// The one that was made for a kernel of which nothing else is known, if one was.
  static KernelHome ownOf(String kernelId) {
    return bare(KernelHomes.name(kernelId), true);
  }

  private static KernelHome bare(String sandbox, boolean own) {
    return new KernelHome(
        sandbox, own, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// Whether it is made from settings alone, and not from files that may change.
  boolean ordinary() {
    return own && config.isEmpty() && directory.isEmpty();
  }

  /// The same for another kernel.
  KernelHome of(String kernelId) {
    return own
        ? new KernelHome(KernelHomes.name(kernelId), true, profile, config, directory, limits)
        : this;
  }
}
