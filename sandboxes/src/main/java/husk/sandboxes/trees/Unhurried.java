package husk.sandboxes.trees;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Opens what others may exchange at any moment, without waiting for them.
///
/// Java opens a pipe only when somebody writes to it, and a file only when nobody insists on being
/// asked first (a lease). Whoever puts one of those where a file was would keep us waiting for
/// ever.
final class Unhurried {
  /// In place of a folder: the path is a whole one.
  private static final int NO_FOLDER = -100;

  private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final int NOT_WAITING = 04000;
  private static final int NO_LINK = ARM ? 0100000 : 0400000;
  private static final int ONLY_FOLDER = ARM ? 040000 : 0200000;

  private static final int MISSING = 2;
  private static final int DENIED = 13;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final VarHandle ERROR =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPENAT =
      link(
          "openat",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle LSEEK =
      link(
          "lseek",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));
  private static final MethodHandle CLOSE =
      link("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Unhurried() {}

  private static MethodHandle link(String name, FunctionDescriptor form, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), form, options);
  }

  /// The descriptor of a folder that others do not move; to be closed.
  static int folder(Path path) throws IOException {
    return open(NO_FOLDER, path, ONLY_FOLDER);
  }

  /// The descriptor of a folder in a folder, if it is one and no link; to be closed.
  static int folder(int parent, Path name) throws IOException {
    return open(parent, name, ONLY_FOLDER | NO_LINK);
  }

  /// A file in a folder, if it is one and no link.
  static FileChannel file(int folder, Path name) throws IOException {
    int opened = open(folder, name, NOT_WAITING | NO_LINK);
    try {
      if (!hasPosition(opened)) {
        throw new FileSystemException(name.toString(), null, "it is no file");
      }
      // The same file once more, for Java; held open, it cannot become anything else.
      return FileChannel.open(Path.of("/proc/self/fd/" + opened));
    } finally {
      close(opened);
    }
  }

  private static int open(int folder, Path name, int flags) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Linker.Option.captureStateLayout());
      int opened = openat(state, folder, Names.inMemory(name, arena), flags | CLOSE_ON_EXEC);
      if (opened < 0) {
        throw problem(name, (int) ERROR.get(state, 0L));
      }
      return opened;
    }
  }

  private static FileSystemException problem(Path name, int error) {
    return switch (error) {
      case MISSING -> new NoSuchFileException(name.toString());
      case DENIED -> new AccessDeniedException(name.toString());
      default -> new FileSystemException(name.toString(), null, "it cannot be opened now");
    };
  }

  private static int openat(MemorySegment state, int folder, MemorySegment name, int flags) {
    try {
      return (int) OPENAT.invokeExact(state, folder, name, flags);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /// Files have one, pipes do not.
  private static boolean hasPosition(int opened) {
    try {
      return (long) LSEEK.invokeExact(opened, 0L, 1) >= 0;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  static void close(int opened) {
    try {
      int _ = (int) CLOSE.invokeExact(opened);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
