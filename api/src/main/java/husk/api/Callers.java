package husk.api;

import husk.core.Caller;
import io.helidon.webserver.http.ServerRequest;
import java.util.Optional;

/// For whom a request is: Husk's own clients say it; anybody else over TCP is served as if by the
/// process that `husk serve` was called in, with its directory, variables and settings.
public final class Callers {
  private Callers() {}

  /// Says for whom requests are that do not say it themselves.
  public static void preset(ServerRequest request, Caller caller) {
    request.context().register(caller);
  }

  /// What [#preset] said, if it did.
  public static Optional<Caller> preset(ServerRequest request) {
    return request.context().get(Caller.class);
  }
}
