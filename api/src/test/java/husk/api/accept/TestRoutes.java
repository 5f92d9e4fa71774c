package husk.api.accept;

import husk.api.Answers;
import husk.api.Requests;
import husk.api.form.Field;
import husk.api.form.Form;
import husk.api.form.Text;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;

/// What the doors of these tests serve: a body that is read whole, one that is passed on, and
/// nothing at all.
final class TestRoutes {
  /// A body.
  record Code(String code) {}

  private static final Form<Code> FORM =
      new Form<>("Code", Code.class, List.of(Field.required("code", new Text(), "code")));

  private TestRoutes() {}

  static Router router() {
    var routing = HttpRouting.builder();
    routing.addFilter(
        (chain, _, _) -> {
          try {
            chain.proceed();
          } finally {
            Visit.current().answered();
          }
        });
    routing
        .get("/health", (_, response) -> response.send("well"))
        .post("/code", TestRoutes::code)
        .put("/file", TestRoutes::file)
        .put("/first", TestRoutes::first);
    Answers.registerErrors(routing);
    return Router.builder().addRouting(routing).build();
  }

  private static void code(ServerRequest request, ServerResponse response) {
    response.send(String.valueOf(Requests.body(request, FORM).code().length()));
  }

  private static void file(ServerRequest request, ServerResponse response) throws IOException {
    Visit.current().pace(Pace.FLOWING);
    try (var in = request.content().inputStream()) {
      response.send(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  /// Answers as soon as the first byte is here.
  private static void first(ServerRequest request, ServerResponse response) throws IOException {
    response.send("first " + (char) request.content().inputStream().read());
  }
}
