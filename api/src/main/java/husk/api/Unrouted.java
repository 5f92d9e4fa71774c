package husk.api;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;

/// Answers what no route takes, as FastAPI does: which methods there are instead, where the path is
/// without its last slash, or that there is nothing.
public final class Unrouted {
  private final Routes routes;

  private Unrouted(Routes routes) {
    this.routes = routes;
  }

  /// To be called when all routes are there.
  public static void register(HttpRouting.Builder routing, Routes routes) {
    routing.any(new Unrouted(routes)::answer);
  }

  private void answer(ServerRequest request, ServerResponse response) {
    var path = request.path().absolute().rawPath();
    var methods = routes.methods(path);
    if (!methods.isEmpty()) {
      otherMethods(request, response, methods);
    } else if (path.endsWith("/") && !routes.methods(withoutSlash(path)).isEmpty()) {
      redirect(request, response, withoutSlash(path));
    } else {
      refuse(request, response, Status.NOT_FOUND_404, "Not Found");
    }
  }

  private static void otherMethods(
      ServerRequest request, ServerResponse response, List<String> methods) {
    response.header(HeaderNames.ALLOW, String.join(", ", methods));
    if (request.prologue().method().equals(Method.OPTIONS)) {
      response.status(Status.NO_CONTENT_204).send();
    } else {
      refuse(request, response, Status.METHOD_NOT_ALLOWED_405, "Method Not Allowed");
    }
  }

  private static void redirect(ServerRequest request, ServerResponse response, String path) {
    var query = request.query().rawValue();
    response.header(HeaderNames.LOCATION, query.isEmpty() ? path : path + "?" + query);
    response.status(Status.TEMPORARY_REDIRECT_307).send();
  }

  private static void refuse(
      ServerRequest request, ServerResponse response, Status status, String why) {
    response.status(status);
    Answers.either(request, response, Map.of("detail", why), "error: " + why + "\n");
  }

  /// A path of a slash alone keeps it; one of several names no route.
  private static String withoutSlash(String path) {
    return path.length() > 1 ? path.substring(0, path.length() - 1) : path;
  }
}
