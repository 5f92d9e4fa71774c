package husk.examples;

import husk.Husk;
import husk.model.BestOf;
import java.io.PrintStream;
import java.util.List;

/// A broken pipeline, and several fixes of it tried at once.
public final class FiveFixes {
  private FiveFixes() {}

  public static void run(Husk husk, PrintStream out) {
    // @start region="best"
    husk.execute("agent", "rows = ['3', '4', 'n/a', '5']");
    BestOf best =
        husk.bestOf(
            "agent",
            List.of(
                "total = sum(rows)",
                "total = sum(int(row) for row in rows)",
                "total = sum(int(row) for row in rows if row.isdigit())"));
    out.println(best.winner().orElseThrow()); // 2: the first that works
    out.println(best.variants().get(1).result().error().orElseThrow().ename()); // ValueError
    out.println(husk.execute("agent", "total").returnValue().orElseThrow()); // 12: it was kept
    // @end
  }
}
