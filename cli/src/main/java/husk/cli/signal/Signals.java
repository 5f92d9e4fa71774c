package husk.cli.signal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/// The signals that go to a command instead of ending this process.
///
/// What comes before there is a command waits for it, so that nothing made for it is left behind;
/// whoever insists meanwhile ends this process at once. The virtual machine keeps QUIT for itself.
public final class Signals implements SignalHandler, AutoCloseable {
  private static final int INTERRUPT = 2;
  private static final int KILL = 9;

  /// Who gets them.
  public interface Target {
    void signal(int number);
  }

  private final Map<Signal, SignalHandler> before = new HashMap<>();
  private final List<Integer> waiting = new ArrayList<>();
  private @Nullable Target target;
  private @Nullable Runnable resized;
  private int interrupts;

  private Signals() {}

  public static Signals caught() {
    var signals = new Signals();
    for (String name : new String[] {"INT", "TERM", "HUP", "USR1", "WINCH"}) {
      signals.take(new Signal(name));
    }
    return signals;
  }

  private void take(Signal signal) {
    try {
      before.put(signal, Signal.handle(signal, this));
    } catch (IllegalArgumentException _) {
      // Somebody else in this process needs it.
    }
  }

  /// From now on they go here, and first those that came already.
  public synchronized void passTo(Target target) {
    this.target = target;
    for (int number : waiting) {
      target.signal(number);
    }
    waiting.clear();
  }

  public synchronized void onResize(Runnable resized) {
    this.resized = resized;
  }

  @Override
  public synchronized void handle(Signal signal) {
    if (signal.getName().equals("WINCH")) {
      if (resized != null) {
        resized.run();
      }
      return;
    }
    pass(signal.getNumber());
  }

  private void pass(int number) {
    interrupts += number == INTERRUPT ? 1 : 0;
    if (target != null) {
      target.signal(number == INTERRUPT && interrupts > 1 ? KILL : number);
    } else if (waiting.isEmpty()) {
      waiting.add(number);
    } else {
      Runtime.getRuntime().halt(128 + number);
    }
  }

  @Override
  public void close() {
    for (var entry : before.entrySet()) {
      Signal.handle(entry.getKey(), entry.getValue());
    }
  }
}
