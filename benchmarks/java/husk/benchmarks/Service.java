package husk.benchmarks;

import husk.model.ExecutionResult;
import husk.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.function.Supplier;

/// Answers lines of JSON with lines of JSON until there are no more: how many executions to do, and
/// the milliseconds that each of them took.
final class Service {
  private Service() {}

  record Request(String ask, int count) {}

  static void serve(Supplier<ExecutionResult> execution) throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(Json.text(measure(execution, Json.read(line, Request.class).count())));
    }
  }

  private static ArrayList<Double> measure(Supplier<ExecutionResult> execution, int count) {
    var times = new ArrayList<Double>(count);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      var result = execution.get();
      times.add((System.nanoTime() - start) / 1e6);
      if (!result.returnValue().orElse("").equals("2")) {
        throw new IllegalStateException("1+1 gave " + result);
      }
    }
    return times;
  }
}
