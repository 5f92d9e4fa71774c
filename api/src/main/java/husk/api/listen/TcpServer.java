package husk.api.listen;

import husk.api.DaemonControl;
import husk.api.Spoken;
import husk.api.observe.Metrics;
import husk.api.observe.Tracing;
import husk.model.Problem;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.time.Duration;

/// Opens a TCP listener that speaks all dialects.
final class TcpServer {
  /// What still runs when a listener is closed has been waited for already.
  private static final Duration LAST_MOMENT = Duration.ofMillis(500);

  private static final int MOST_CONNECTIONS = 10_000;

  private TcpServer() {}

  static Listener open(ListenerSpec spec, Spoken dialects, Metrics metrics, DaemonControl daemon) {
    var origins = new Origins(spec.host(), spec.allowOrigins());
    var admission = new Admission(spec.keys(), origins);
    var traffic = new Traffic(spec.maxRequests());
    var accessLog = new AccessLog();
    var tracing = Tracing.to(spec.otlpEndpoint(), daemon.version());
    var routing = HttpRouting.builder();
    routing.addFilter(
        new Passage(
            admission,
            traffic,
            new Cors(origins),
            new Witnesses(metrics, tracing, accessLog),
            spec.caller()));
    var callers = dialects.callers(spec.opened(), spec.caller());
    dialects.overTcp(routing, callers);
    var server =
        WebServer.builder()
            .address(spec.address())
            .port(spec.port())
            // Without it, small messages over a WebSocket wait for each other's acknowledgement.
            .connectionOptions(options -> options.tcpNoDelay(true))
            .addRouting(routing)
            .addRouting(dialects.channels(admission, callers))
            .shutdownGracePeriod(LAST_MOMENT)
            .maxTcpConnections(MOST_CONNECTIONS)
            .shutdownHook(false);
    spec.tls().ifPresent(tls -> server.tls(Tls.builder().sslContext(tls.context()).build()));
    return new Listener(spec, traffic, accessLog, tracing, start(server.build(), spec));
  }

  private static WebServer start(WebServer web, ListenerSpec spec) {
    // A port that is taken does not make it throw; it starts, and listens on none.
    var started = web.start();
    if (started.port() > 0) {
      return started;
    }
    started.stop();
    throw new Problem(
        Problem.Code.ADDRESS_UNAVAILABLE,
        "cannot listen on " + spec.host() + ", port " + spec.port() + ": it is taken, or not ours",
        "choose another with `--port`; 0 takes any that is free");
  }
}
