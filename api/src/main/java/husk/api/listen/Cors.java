package husk.api.listen;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;

/// Tells browsers which web pages may read answers: those of the origins that were allowed.
final class Cors {
  private static final HeaderName ASKED = HeaderNames.ACCESS_CONTROL_REQUEST_METHOD;

  private final Origins origins;

  Cors(Origins origins) {
    this.origins = origins;
  }

  /// Whether a browser asks beforehand if a page may make a request.
  boolean isQuestion(RoutingRequest request) {
    return request.prologue().method().equals(Method.OPTIONS)
        && request.headers().contains(ASKED)
        && allowed(request);
  }

  void mark(RoutingRequest request, RoutingResponse response) {
    if (!allowed(request)) {
      return;
    }
    var origin = request.headers().first(HeaderNames.ORIGIN).orElseThrow();
    response.header(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response.header(HeaderNames.VARY, "Origin");
    response.header(
        HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, "X-Request-Id, Husk-Problem, Husk-Status");
    if (request.headers().contains(ASKED)) {
      response.header(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PATCH, DELETE");
      response.header(
          HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS,
          "Authorization, Content-Type, X-API-Key, X-Request-Id, Last-Event-ID");
      response.header(HeaderNames.ACCESS_CONTROL_MAX_AGE, "600");
    }
  }

  private boolean allowed(RoutingRequest request) {
    return request.headers().first(HeaderNames.ORIGIN).filter(origins::isAllowed).isPresent();
  }
}
