package husk.sandboxes.trees;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// What the system says of files, and the one thing of it that can be set by descriptor only here.
///
/// Java looks by path, and sets a time with four calls; both are done for every file of a folder.
final class Stat {
  private static final int NO_FOLLOW = 0x100;
  private static final int THE_DESCRIPTOR_ITSELF = 0x1000;
  private static final int ALL = 0x7ff;
  private static final Path NO_NAME = Path.of("");

  /// In place of the nanoseconds of a time that stays.
  private static final long AS_IT_IS = (1L << 30) - 2;

  private static final long SECOND = 1_000_000_000;
  private static final int SIZE = 256;

  private static final MethodHandle STATX =
      Unhurried.link(
          "statx",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle UTIMENSAT =
      Unhurried.link(
          "utimensat",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          Linker.Option.captureCallState("errno"));

  private Stat() {}

  /// Of what has that name in a folder; of a link, the link's own.
  static Attributes of(int folder, Path name) throws IOException {
    return look(folder, name, NO_FOLLOW);
  }

  /// Of what is held.
  static Attributes of(int descriptor) throws IOException {
    return look(descriptor, NO_NAME, THE_DESCRIPTOR_ITSELF);
  }

  private static Attributes look(int folder, Path name, int flags) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Linker.Option.captureStateLayout());
      var found = arena.allocate(SIZE, Long.BYTES);
      if (statx(state, folder, Names.inMemory(name, arena), flags, found) != 0) {
        throw Unhurried.problem(name, Unhurried.error(state), "it cannot be looked at");
      }
      return read(found);
    }
  }

  /// Everything is where `struct statx` has it, on every processor.
  private static Attributes read(MemorySegment found) {
    return new Attributes(
        device(number(found, 136), number(found, 140)),
        found.get(ValueLayout.JAVA_LONG, 32),
        found.get(ValueLayout.JAVA_LONG, 40),
        time(found, 112),
        time(found, 96),
        found.get(ValueLayout.JAVA_SHORT, 28) & 0xffff,
        number(found, 20),
        number(found, 24),
        number(found, 16));
  }

  private static int number(MemorySegment found, int offset) {
    return found.get(ValueLayout.JAVA_INT, offset);
  }

  private static long time(MemorySegment found, int offset) {
    return found.get(ValueLayout.JAVA_LONG, offset) * SECOND + number(found, offset + 8);
  }

  /// As `stat` would number it.
  private static long device(int major, int minor) {
    return ((long) (major & ~0xfff) << 32)
        | ((long) (major & 0xfff) << 8)
        | ((minor & 0xffffff00L) << 12)
        | (minor & 0xff);
  }

  /// When its content was changed, in nanoseconds since 1970.
  ///
  /// @param path leads to a descriptor
  static void setModified(Path path, long nanos) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Linker.Option.captureStateLayout());
      var times =
          arena.allocateFrom(
              ValueLayout.JAVA_LONG,
              0,
              AS_IT_IS,
              Math.floorDiv(nanos, SECOND),
              Math.floorMod(nanos, SECOND));
      if (utimensat(state, Names.inMemory(path, arena), times) != 0) {
        throw Unhurried.problem(path, Unhurried.error(state), "its time cannot be set");
      }
    }
  }

  private static int statx(
      MemorySegment state, int folder, MemorySegment name, int flags, MemorySegment found) {
    try {
      return (int) STATX.invokeExact(state, folder, name, flags, ALL, found);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static int utimensat(MemorySegment state, MemorySegment path, MemorySegment times) {
    try {
      return (int) UTIMENSAT.invokeExact(state, Unhurried.NO_FOLDER, path, times, 0);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
