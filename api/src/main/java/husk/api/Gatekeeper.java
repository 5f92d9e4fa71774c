package husk.api;

import husk.model.Problem;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Headers;
import java.util.Optional;

/// Decides whether a request, or the beginning of a WebSocket, may come in.
public interface Gatekeeper {
  /// Lets everybody in: whoever can open the daemon's socket is its owner.
  Gatekeeper OPEN = (_, _, _) -> Optional.empty();

  /// Why it is turned away; empty when it may come in.
  Optional<Problem> refusal(String path, UriQuery query, Headers headers);
}
