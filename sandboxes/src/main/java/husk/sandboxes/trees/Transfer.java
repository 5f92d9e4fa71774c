package husk.sandboxes.trees;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Has the kernel copy from one descriptor to another, without opening either once more for Java:
/// for small files that is most of the work.
final class Transfer {
  private static final MethodHandle COPY_FILE_RANGE =
      Unhurried.link(
          "copy_file_range",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private Transfer() {}

  /// Copies as much as there is and the file systems can, up to `size` bytes from the beginning.
  ///
  /// @return how many those were; whoever wanted more has to copy all of it in another way
  static long copy(int from, int to, long size) {
    long done = 0;
    while (done < size) {
      long moved = move(from, to, size - done);
      if (moved <= 0) {
        break;
      }
      done += moved;
    }
    return done;
  }

  private static long move(int from, int to, long size) {
    try {
      return (long)
          COPY_FILE_RANGE.invokeExact(from, MemorySegment.NULL, to, MemorySegment.NULL, size, 0);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
