package husk.api.accept;

import io.helidon.common.context.Context;
import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.websocket.WsConfig;
import io.helidon.webserver.websocket.WsUpgrader;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.SSLContext;

/// How connections of a door are spoken with: HTTP/1.1 and WebSockets by Helidon, over TLS or not.
///
/// @param tls empty for none
/// @param router what is served
/// @param speech makes a conversation of a connection
/// @param listening what Helidon wants to know of where it listens
record Manners(
    Optional<SSLContext> tls,
    Router router,
    Http1ConnectionSelector speech,
    ListenerContext listening) {
  /// Handshakes that are remembered; without a limit of ours there are 20,480 of them.
  private static final int MOST_SESSIONS = 256;

  static Manners of(Router router, Optional<SSLContext> tls, ExecutorService executor) {
    tls.ifPresent(context -> context.getServerSessionContext().setSessionCacheSize(MOST_SESSIONS));
    var webSockets = WsConfig.create();
    var speech =
        Http1ConnectionSelector.builder()
            .config(Http1Config.builder().addReceiveListener(new Heads()).buildPrototype())
            .addUpgraders(Map.of("websocket", WsUpgrader.create(webSockets)))
            .build();
    var config = ListenerConfig.builder().addProtocol(webSockets).buildPrototype();
    return new Manners(tls, router, speech, new Listening(config, executor));
  }

  /// Tells each connection what was read of it.
  private static final class Heads implements Http1ConnectionListener {
    @Override
    public void headers(ConnectionContext connection, Headers headers) {
      if (connection instanceof VisitContext visit) {
        visit.head(headers);
      }
    }
  }

  private record Listening(
      ListenerConfig config,
      ExecutorService executor,
      Context context,
      MediaContext mediaContext,
      ContentEncodingContext contentEncodingContext,
      DirectHandlers directHandlers)
      implements ListenerContext {
    Listening(ListenerConfig config, ExecutorService executor) {
      this(
          config,
          executor,
          Context.create(),
          MediaContext.create(),
          ContentEncodingContext.create(),
          DirectHandlers.create());
    }
  }
}
