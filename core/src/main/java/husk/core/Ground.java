package husk.core;

import husk.sandboxes.SandboxRequest;
import husk.spi.Limits;
import husk.spi.Profile;

/// What a project's file is measured against: the sandbox that its user would get without it.
///
/// @param asked the user's own words, which win over the file's
/// @param backend who would make it
/// @param profile what it would be derived from
record Ground(SandboxRequest asked, String backend, Profile profile) {
  static Ground of(SandboxRequest asked) {
    var backend = asked.backend().orElse("bubblewrap");
    return new Ground(
        asked,
        backend,
        asked.profile().isEmpty() && backend.equals(KernelHomes.HOST)
            ? Profile.PERMISSIVE
            : Profile.orDefault(asked.profile()));
  }

  boolean network() {
    return asked.network().orElse(profile.network());
  }

  /// What the profile says; 0 for no limit.
  long limit(String name) {
    Limits limits = profile.limits();
    return switch (name) {
      case "memory_mb" -> limits.memoryMb();
      case "cpu_percent" -> limits.cpuPercent();
      case "processes" -> limits.processes();
      case "open_files" -> limits.openFiles();
      case "file_size_mb" -> limits.fileSizeMb();
      case "workspace_mb" -> limits.workspaceMb();
      case "tmp_mb" -> limits.tmpMb();
      default -> throw new IllegalArgumentException(name);
    };
  }
}
