package husk.examples;

import husk.Husk;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import java.io.PrintStream;

/// Output as it comes.
public final class Streaming {
  private Streaming() {}

  public static void run(Husk husk, PrintStream out) {
    // @start region="streaming"
    String code =
        """
        import time
        for step in range(3):
            print("step", step)
            time.sleep(0.1)
        """;
    ExecutionResult result =
        husk.execute(
            "agent",
            code,
            event -> {
              switch (event) {
                case ExecutionEvent.Stream(String name, String text) -> out.print(text);
                case ExecutionEvent.Display(var item) -> out.println(item.text().orElse(""));
                default -> {}
              }
            });
    out.println(result.status()); // SUCCESS
    // @end
  }
}
