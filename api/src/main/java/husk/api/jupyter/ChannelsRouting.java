package husk.api.jupyter;

import husk.api.Gatekeeper;
import husk.core.Service;
import io.helidon.webserver.websocket.WsRouting;

/// The route of the WebSockets over which Jupyter's clients talk to kernels.
public final class ChannelsRouting {
  private ChannelsRouting() {}

  /// Asks the gatekeeper itself, because the beginning of a WebSocket passes no other routes.
  public static WsRouting.Builder of(Service core, JupyterState state, Gatekeeper gatekeeper) {
    return WsRouting.builder()
        .endpoint(
            "/api/kernels/{id}/channels", () -> new ChannelsListener(core, state, gatekeeper));
  }
}
