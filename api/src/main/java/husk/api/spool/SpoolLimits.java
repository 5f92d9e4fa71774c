package husk.api.spool;

/// How much a [Spool] keeps.
///
/// @param page bytes that are kept, moved to disk and forgotten together
/// @param memory bytes kept in memory; a page or two more while they are being written
/// @param disk bytes kept in files beyond that
public record SpoolLimits(int page, long memory, long disk) {
  /// 4 MiB in memory, 1 GiB on disk.
  public static final SpoolLimits DEFAULT = new SpoolLimits(1 << 20, 4L << 20, 1L << 30);

  public SpoolLimits {
    if (page < 1 || memory < 0 || disk < 0) {
      throw new IllegalArgumentException("limits out of range");
    }
  }

  long total() {
    return memory + disk;
  }
}
