package husk.api.jupyter;

import husk.api.Gatekeeper;
import husk.core.Core;
import io.helidon.webserver.websocket.WsRouting;

/// The route of the WebSockets over which Jupyter's clients talk to kernels.
public final class ChannelsRouting {
  private ChannelsRouting() {}

  /// Asks the gatekeeper itself, because the beginning of a WebSocket passes no other routes.
  public static WsRouting.Builder of(Core core, JupyterState state, Gatekeeper gatekeeper) {
    return WsRouting.builder()
        .endpoint(
            "/api/kernels/{id}/channels", () -> new ChannelsListener(core, state, gatekeeper));
  }
}
