package husk.api.rest;

import husk.api.Answers;
import husk.core.Service;
import husk.model.ExecutionResult;
import husk.wire.Json;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Answers with a result that only this caller waits for: when it leaves, the execution is
/// cancelled. A server notices that somebody left only by writing, so blanks go out while the code
/// runs; in front of JSON they mean nothing.
final class AttendedAnswer {
  private static final long PULSE_SECONDS = 1;

  private final Service core;
  private final String executionId;

  AttendedAnswer(Service core, String executionId) {
    this.core = core;
    this.executionId = executionId;
  }

  void send(ServerRequest request, ServerResponse response, Supplier<ExecutionResult> execution) {
    var result = Unhurried.begin(execution);
    try {
      ExecutionAnswer.result(request, response, result.get(PULSE_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      sendSlowly(response, result);
    } catch (ExecutionException e) {
      throw Unhurried.problem(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sendSlowly(ServerResponse response, CompletableFuture<ExecutionResult> result) {
    response.header(HeaderNames.CONTENT_TYPE, "application/json");
    try (var out = response.outputStream()) {
      write(out, answer(out, result));
    } catch (IOException | UncheckedIOException | CloseConnectionException gone) {
      core.cancel(executionId);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String answer(OutputStream out, CompletableFuture<ExecutionResult> result)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return Json.text(result.get(PULSE_SECONDS, TimeUnit.SECONDS));
      } catch (TimeoutException e) {
        write(out, " ");
      } catch (ExecutionException e) {
        return Json.text(Answers.describe(Unhurried.problem(e)));
      }
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
