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
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Opens what others may exchange at any moment, without waiting for them; gives descriptors, to be
/// closed.
///
/// Java opens a pipe only when somebody writes to it, and a file only when nobody insists on being
/// asked first (a lease). Whoever puts one of those where a file was would keep us waiting for
/// ever.
final class Unhurried {
  /// In place of a folder: the path is a whole one.
  static final int NO_FOLDER = -100;

  private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));
  private static final int TO_WRITE = 01;
  private static final int NEW = 0300;
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final int NOT_WAITING = 04000;
  private static final int NO_LINK = ARM ? 0100000 : 0400000;
  private static final int ONLY_FOLDER = ARM ? 040000 : 0200000;
  private static final int ONLY_HELD = 010000000;
  private static final int OWNERS_ALONE = 0600;
  private static final int OF_FOLDERS = 0x200;

  private static final int MISSING = 2;
  private static final int DENIED = 13;
  private static final int THERE = 17;
  private static final int NOT_EMPTY = 39;

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
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT),
          Linker.Option.captureCallState("errno"),
          Linker.Option.firstVariadicArg(3));
  private static final MethodHandle UNLINKAT =
      link(
          "unlinkat",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE =
      link("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Unhurried() {}

  static MethodHandle link(String name, FunctionDescriptor form, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), form, options);
  }

  /// A folder that others do not move.
  static int folder(Path path) throws IOException {
    return open(NO_FOLDER, path, ONLY_FOLDER);
  }

  /// A folder in a folder, if it is one and no link.
  static int folder(int parent, Path name) throws IOException {
    return open(parent, name, ONLY_FOLDER | NO_LINK);
  }

  /// Something in a folder that is no link, to be read.
  static int file(int folder, Path name) throws IOException {
    return open(folder, name, NOT_WAITING | NO_LINK);
  }

  /// Whatever has that name, a link as itself; good for nothing but to hold on to it.
  static int anything(int folder, Path name) throws IOException {
    return open(folder, name, ONLY_HELD | NO_LINK);
  }

  /// A file that was not there, for its owner alone.
  static int create(int folder, Path name) throws IOException {
    return open(folder, name, NEW | TO_WRITE | NO_LINK);
  }

  static void deleteFile(int folder, Path name) throws IOException {
    delete(folder, name, 0);
  }

  static void deleteFolder(int folder, Path name) throws IOException {
    delete(folder, name, OF_FOLDERS);
  }

  private static int open(int folder, Path name, int flags) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Linker.Option.captureStateLayout());
      int opened = openat(state, folder, Names.inMemory(name, arena), flags | CLOSE_ON_EXEC);
      if (opened < 0) {
        throw problem(name, error(state), "it cannot be opened now");
      }
      return opened;
    }
  }

  private static void delete(int folder, Path name, int flags) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(Linker.Option.captureStateLayout());
      if (unlinkat(state, folder, Names.inMemory(name, arena), flags) != 0) {
        int error = error(state);
        throw problem(name, error, "it cannot be removed (error " + error + ")");
      }
    }
  }

  /// What the last call that was given this state failed with.
  static int error(MemorySegment state) {
    return (int) ERROR.get(state, 0L);
  }

  static FileSystemException problem(Path name, int error, String otherwise) {
    return switch (error) {
      case MISSING -> new NoSuchFileException(name.toString());
      case DENIED -> new AccessDeniedException(name.toString());
      case THERE -> new FileAlreadyExistsException(name.toString());
      case NOT_EMPTY -> new DirectoryNotEmptyException(name.toString());
      default -> new FileSystemException(name.toString(), null, otherwise);
    };
  }

  private static int openat(MemorySegment state, int folder, MemorySegment name, int flags) {
    try {
      return (int) OPENAT.invokeExact(state, folder, name, flags, OWNERS_ALONE);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static int unlinkat(MemorySegment state, int folder, MemorySegment name, int flags) {
    try {
      return (int) UNLINKAT.invokeExact(state, folder, name, flags);
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
