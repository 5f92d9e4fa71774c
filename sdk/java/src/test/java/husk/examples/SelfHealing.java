package husk.examples;

import husk.Husk;
import husk.model.ErrorInfo;
import husk.model.ExecutionResult;
import java.io.PrintStream;
import java.util.Optional;

/// Code that fails, and an agent that mends it.
public final class SelfHealing {
  private SelfHealing() {}

  public static void run(Husk husk, PrintStream out) {
    // @start region="retry"
    ExecutionResult result =
        husk.executeWithRetry(
            "agent",
            "x + 1",
            (failed, attempt) -> {
              String why = failed.error().map(ErrorInfo::evalue).orElse("");
              out.println("attempt " + attempt + " failed: " + why);
              return Optional.of("x = 41\nx + 1"); // here you would ask your model
            });
    out.println(result.status()); // SUCCESS
    out.println(result.returnValue().orElseThrow()); // 42
    out.println(result.attempts().size()); // 2: the failed attempt and the mended one
    // @end
  }
}
