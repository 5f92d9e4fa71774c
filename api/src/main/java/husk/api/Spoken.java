package husk.api;

import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.websocket.WsRouting;

/// What a listener offers to those it lets in.
public interface Spoken {
  /// Adds the routes that are served over TCP.
  Routes overTcp(HttpRouting.Builder routing);

  /// The WebSockets, for those whom `gatekeeper` lets in.
  WsRouting.Builder channels(Gatekeeper gatekeeper);
}
