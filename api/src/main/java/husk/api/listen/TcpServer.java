package husk.api.listen;

import husk.api.DaemonControl;
import husk.api.Spoken;
import husk.api.accept.Door;
import husk.api.accept.Patience;
import husk.api.accept.Room;
import husk.api.observe.Metrics;
import husk.api.observe.Tracing;
import husk.model.Problem;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.logging.Logger;

/// Opens a TCP listener that speaks all dialects.
final class TcpServer {
  private static final Logger LOG = Logger.getLogger("husk.api");

  private TcpServer() {}

  static Listener open(
      ListenerSpec spec, Spoken dialects, Metrics metrics, DaemonControl daemon, Room room) {
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
    var router =
        Router.builder()
            .addRouting(routing)
            .addRouting(dialects.channels(admission, callers))
            .build();
    var door =
        new Door.Spec(
            new InetSocketAddress(spec.address(), spec.port()),
            router,
            spec.tls().map(TlsIdentity::context),
            room,
            Patience.DEFAULT,
            trouble -> tell(accessLog, trouble));
    try {
      var opened = Door.open(door);
      return new Listener(spec, traffic, accessLog, tracing, opened, opened.port());
    } catch (IOException e) {
      tracing.close();
      throw unavailable(spec, e);
    }
  }

  /// To the daemon's log, and to whoever serves.
  private static void tell(AccessLog accessLog, String trouble) {
    LOG.warning(trouble);
    accessLog.tell(trouble);
  }

  private static Problem unavailable(ListenerSpec spec, IOException cause) {
    return new Problem(
            Problem.Code.ADDRESS_UNAVAILABLE,
            "cannot listen on %s, port %d: %s"
                .formatted(spec.host(), spec.port(), cause.getMessage()),
            "choose another with `--port`; 0 takes any that is free")
        .causedBy(cause);
  }
}
