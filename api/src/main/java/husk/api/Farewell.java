package husk.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.Locale;

/// Closes the connection of a caller that asked for it. The server underneath says in its answer
/// that it will, and then does not: callers who read until the end would wait for ever.
public final class Farewell {
  private Farewell() {}

  /// To be called once a request is answered.
  public static void after(RoutingRequest request, RoutingResponse response) {
    var wish = request.headers().first(HeaderNames.CONNECTION).orElse("");
    if (response.isSent() && wish.toLowerCase(Locale.ROOT).contains("close")) {
      throw new CloseConnectionException("the caller wants the connection closed");
    }
  }
}
