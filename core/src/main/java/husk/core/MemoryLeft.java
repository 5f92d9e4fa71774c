package husk.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Whether a sandbox still has memory to give. Kernels, their checkpoints and temporary files share
/// one limit; where it is reached, the kernel is killed.
final class MemoryLeft {
  private MemoryLeft() {}

  /// Whether more than three quarters are taken by what cannot be read again from a disk.
  ///
  /// @param group the control group that holds the limit, of either version
  static boolean scarce(Path group) {
    var limit = number(group, "memory.max", "memory.limit_in_bytes");
    var used = number(group, "memory.current", "memory.usage_in_bytes");
    return limit.isPresent()
        && used.isPresent()
        && used.get() - cached(group) > limit.get() - limit.get() / 4;
  }

  private static Optional<Long> number(Path group, String... names) {
    return Stream.of(names)
        .flatMap(name -> read(group.resolve(name)).stream())
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,18}"))
        .map(Long::parseLong)
        .findFirst();
  }

  /// In the first version only what begins with `total_` counts groups below it too.
  private static long cached(Path group) {
    var stat = read(group.resolve("memory.stat")).orElse("");
    var prefix = stat.contains("\ntotal_inactive_file ") ? "total_" : "";
    return stat.lines()
        .map(line -> line.split(" ", 2))
        .filter(part -> part.length == 2)
        .filter(
            part ->
                part[0].equals(prefix + "inactive_file") || part[0].equals(prefix + "active_file"))
        .mapToLong(part -> Long.parseLong(part[1]))
        .sum();
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (IOException none) {
      return Optional.empty();
    }
  }
}
