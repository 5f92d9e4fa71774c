package husk.kernels;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Sends signals, which the JDK cannot (it knows only TERM and KILL).
public final class Signals {
  public static final int INT = 2;
  public static final int KILL = 9;
  public static final int TERM = 15;

  private static final MethodHandle KILL_CALL = link();

  private Signals() {}

  private static MethodHandle link() {
    var linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("kill"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /// Signals one process; false when there is no such process or it is not ours.
  public static boolean send(long pid, int signal) {
    return pid > 1 && call((int) pid, signal);
  }

  /// Signals every process of a group.
  public static boolean sendToGroup(long group, int signal) {
    return group > 1 && call((int) -group, signal);
  }

  private static boolean call(int target, int signal) {
    try {
      return (int) KILL_CALL.invokeExact(target, signal) == 0;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
