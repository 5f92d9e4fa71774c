package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.api.Texts;
import husk.core.Core;
import husk.core.PythonEnvironments;
import husk.local.Frame;
import husk.local.Frames;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// `/environments` and `/setup`: the Pythons that kernels run on.
public final class EnvironmentsEndpoint implements Endpoint {
  private final Core core;

  public EnvironmentsEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/environments", this::list)
        .post("/environments", this::add)
        .delete("/environments/{name}", this::remove)
        .post("/setup", this::setup);
  }

  private void list(ServerRequest request, ServerResponse response) {
    var made = core.environments().list();
    Answers.either(
        request,
        response,
        Map.of("environments", made),
        Texts.table(
            List.of("NAME", "FROM", "REQUIREMENTS", "PRELOAD", "EXECUTABLE"),
            made.stream().map(EnvironmentsEndpoint::row).toList()));
  }

  private static List<String> row(PythonEnvironments.Made made) {
    return List.of(
        made.name(),
        made.from(),
        orDash(made.requirements()),
        orDash(made.preload()),
        made.executable().toString());
  }

  private static String orDash(List<String> words) {
    return words.isEmpty() ? "-" : String.join(",", words);
  }

  private void add(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, Bodies.EnvironmentBody.class);
    var name =
        body.name()
            .orElseThrow(
                () -> new Problem(Problem.Code.INVALID_REQUEST, "the environment has no name"));
    var made =
        core.environments()
            .add(name, body.from(), body.requirements(), body.preload(), body.caller(), _ -> {});
    response.status(Status.CREATED_201);
    Answers.either(
        request, response, made, "made `" + made.name() + "`: " + made.executable() + "\n");
  }

  private void remove(ServerRequest request, ServerResponse response) {
    var name = Answers.name(request);
    if (!core.environments().remove(name)) {
      throw new Problem(
          Problem.Code.ENVIRONMENT_NOT_FOUND,
          "there is no environment `" + name + "`",
          "`husk python list` shows those there are");
    }
    Answers.either(request, response, Map.of("removed", true), "removed `" + name + "`\n");
  }

  /// Makes the default environment anew, telling what it does while it does it.
  private void setup(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, Bodies.EnvironmentBody.class);
    response.header(HeaderNames.CONTENT_TYPE, Frames.MEDIA_TYPE);
    try (var out = response.outputStream()) {
      Consumer<String> progress = line -> frame(out, Frame.Kind.STDOUT, line + "\n");
      try {
        var made =
            core.environments()
                .add(
                    PythonEnvironments.DEFAULT,
                    body.python().or(body::from),
                    body.requirements(),
                    body.preload(),
                    body.caller(),
                    progress);
        progress.accept("kernels run on " + made.executable());
        frame(out, Frame.Kind.RESULT, Json.pretty(made) + "\n");
      } catch (Problem problem) {
        frame(out, Frame.Kind.PROBLEM, Json.text(Answers.describe(problem)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void frame(OutputStream out, Frame.Kind kind, String text) {
    try {
      Frames.write(out, kind, text);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
