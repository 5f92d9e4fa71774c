package husk.examples;

import husk.Husk;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.Language;
import java.io.PrintStream;
import java.time.Duration;

/// Shell commands beside Python, in the same kernel.
public final class Bash {
  private Bash() {}

  public static void run(Husk husk, PrintStream out) {
    // @start region="bash"
    ExecuteRequest command =
        ExecuteRequest.of("greeting=hello; echo $greeting; exit 3")
            .in(Language.BASH)
            .within(Duration.ofSeconds(30));
    ExecutionResult result = husk.execute("agent", command);
    out.print(result.output()); // hello
    out.println(result.exitCode().orElseThrow()); // 3
    // @end
  }
}
