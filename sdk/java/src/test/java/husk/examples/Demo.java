package husk.examples;

import husk.Husk;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import java.io.PrintStream;
import java.util.function.Supplier;

/// Husk in 30 seconds.
public final class Demo {
  private Demo() {}

  public static void run(Supplier<Husk> opened, PrintStream out) {
    // @start region="demo"
    // @replace region regex='opened.get\(\)' replacement="Husk.open()"
    try (Husk husk = opened.get()) {
      // Give the agent a named, persistent kernel.
      KernelRecord kernel = husk.getOrCreate("agent-sandbox");

      // Step 1: the agent sends its first block of code.
      ExecutionResult result = husk.execute(kernel, "x = [1, 2, 3]\nsum(x)");
      out.println(result.status()); // SUCCESS
      out.println(result.returnValue().orElseThrow()); // 6

      // Step 2: the kernel remembers x.
      result = husk.execute(kernel, "x.append(4)\nsum(x)");
      out.println(result.returnValue().orElseThrow()); // 10

      husk.destroy("agent-sandbox");
    }
    // @end
    // @end
  }
}
