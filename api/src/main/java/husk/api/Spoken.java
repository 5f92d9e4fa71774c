package husk.api;

import husk.core.Caller;
import husk.core.Opened;
import husk.core.Service;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.websocket.WsRouting;

/// What a listener offers to those it lets in.
public interface Spoken {
  /// Adds the routes that are served over TCP, to callers within their bounds.
  Routes overTcp(HttpRouting.Builder routing, Service callers);

  /// The WebSockets, for those whom `gatekeeper` lets in.
  WsRouting.Builder channels(Gatekeeper gatekeeper, Service callers);

  /// As callers over TCP are served.
  ///
  /// @param server whom they are served for
  Service callers(Opened opened, Caller server);
}
