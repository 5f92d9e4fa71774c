package husk.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a process of the host needs to move into a running sandbox and be held as everything in it
/// is: a forked kernel does.
///
/// @param pid the sandbox's first process, whose namespaces are joined
/// @param family the first process of its family: whoever is to be copied from one sandbox into
///   another stands there, above both
/// @param uid who one is inside
/// @param gid the group one belongs to inside
/// @param cgroups to be joined beforehand
/// @param rlimits by their names in lower case
/// @param filter the file with the filter of system calls, to be installed last
/// @param porterFilter the same for who lets kernels in and copies them
/// @param env the variables of everything inside
/// @param memoryCounter where the kernel counts those it killed inside for want of memory, if it
///   does
public record Tenancy(
    long pid,
    long family,
    int uid,
    int gid,
    List<Path> cgroups,
    Map<String, Long> rlimits,
    Path filter,
    Path porterFilter,
    Map<String, String> env,
    Optional<Path> memoryCounter) {

  public Tenancy {
    cgroups = List.copyOf(cgroups);
    rlimits = Map.copyOf(rlimits);
    env = Map.copyOf(env);
  }
}
