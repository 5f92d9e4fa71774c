package husk.api.server;

import husk.api.Answers;
import husk.api.DaemonControl;
import husk.api.Endpoint;
import husk.api.Gatekeeper;
import husk.api.Routes;
import husk.api.Spoken;
import husk.api.Unrouted;
import husk.api.docs.DocsEndpoint;
import husk.api.jupyter.ChannelsRouting;
import husk.api.jupyter.JupyterEndpoint;
import husk.api.jupyter.JupyterState;
import husk.api.listen.Listeners;
import husk.api.listen.ListenersEndpoint;
import husk.api.observe.Metrics;
import husk.api.observe.MetricsEndpoint;
import husk.api.rest.CheckpointsEndpoint;
import husk.api.rest.DaemonEndpoint;
import husk.api.rest.DiffEndpoint;
import husk.api.rest.EnvironmentsEndpoint;
import husk.api.rest.ExecuteEndpoint;
import husk.api.rest.ExecutionsEndpoint;
import husk.api.rest.ForksEndpoint;
import husk.api.rest.HealthEndpoint;
import husk.api.rest.InspectionEndpoint;
import husk.api.rest.KernelSpecsEndpoint;
import husk.api.rest.KernelsEndpoint;
import husk.api.rest.PreviewEndpoint;
import husk.api.rest.SessionsEndpoint;
import husk.api.rest.TrustEndpoint;
import husk.api.sandboxes.SandboxDialect;
import husk.api.sandboxes.UsedEndpoint;
import husk.api.sse.EventLogs;
import husk.api.sse.EventStreams;
import husk.core.Caller;
import husk.core.Core;
import husk.core.Opened;
import husk.core.Service;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.websocket.WsRouting;
import java.util.ArrayList;
import java.util.List;

/// Every dialect that is spoken, and where: what is about this machine's daemon is answered on its
/// own socket alone, everything else also over TCP.
public final class Dialects implements Spoken, AutoCloseable {
  private final Metrics metrics;
  private final Core core;
  private final EventLogs logs;
  private final JupyterState jupyter;
  private final EventStreams events;
  private final DaemonControl daemon;
  private final List<Endpoint> hereAlone;

  public Dialects(Core core, DaemonControl daemon, Listeners listeners) {
    this.core = core;
    this.metrics = new Metrics(core);
    this.daemon = daemon;
    this.jupyter = new JupyterState(core.places().runtime().resolve("channels"));
    showChannels();
    this.logs = new EventLogs(Service.ofOwner(core), core.places().runtime().resolve("events"));
    this.events = new EventStreams(logs);
    this.hereAlone =
        List.of(
            new DaemonEndpoint(core, daemon),
            new EnvironmentsEndpoint(core),
            new InspectionEndpoint(core),
            new TrustEndpoint(core),
            new UsedEndpoint(core),
            new ListenersEndpoint(core, listeners));
  }

  /// What is served to everybody, as `service` serves them. Each listener has its own: what one
  /// caller streams is not within reach of another's.
  private List<Endpoint> everywhere(Service service) {
    var endpoints = new ArrayList<>(SandboxDialect.endpoints(service));
    endpoints.addAll(
        List.of(
            new HealthEndpoint(daemon),
            new KernelsEndpoint(service),
            new SessionsEndpoint(service),
            new ExecuteEndpoint(service, events),
            new ExecutionsEndpoint(service, events),
            new ForksEndpoint(service),
            new CheckpointsEndpoint(service),
            new DiffEndpoint(service),
            new PreviewEndpoint(service),
            new KernelSpecsEndpoint(service),
            new MetricsEndpoint(metrics),
            new DocsEndpoint(daemon),
            new JupyterEndpoint(service, jupyter)));
    return endpoints;
  }

  private void showChannels() {
    metrics.gauge(
        "husk_websocket_connections", "Open WebSocket connections", jupyter::openConnections);
    metrics.counter(
        "husk_websocket_messages_received_total",
        "Messages from WebSocket clients to kernels",
        jupyter::messagesFromClients);
    metrics.counter(
        "husk_websocket_messages_sent_total",
        "Messages from kernels to WebSocket clients",
        jupyter::messagesToClients);
    metrics.gauge(
        "husk_websocket_spooled_bytes",
        "Bytes that wait for WebSocket clients",
        jupyter::spooledBytes);
  }

  Metrics metrics() {
    return metrics;
  }

  @Override
  public Service callers(Opened opened, Caller server) {
    return Service.ofCallers(core, opened, server);
  }

  @Override
  public Routes overTcp(HttpRouting.Builder routing, Service callers) {
    return add(routing, everywhere(callers));
  }

  /// The routes that are served on the daemon's own socket, added to a routing.
  Routes overSocket(HttpRouting.Builder routing) {
    var all = new ArrayList<>(everywhere(Service.ofOwner(core)));
    all.addAll(hereAlone);
    return add(routing, all);
  }

  /// The WebSockets on that socket.
  WsRouting.Builder channelsOverSocket() {
    return channels(Gatekeeper.OPEN, Service.ofOwner(core));
  }

  @Override
  public WsRouting.Builder channels(Gatekeeper gatekeeper, Service callers) {
    return ChannelsRouting.of(callers, jupyter, gatekeeper);
  }

  private static Routes add(HttpRouting.Builder routing, List<Endpoint> endpoints) {
    var routes = new Routes(routing);
    endpoints.forEach(endpoint -> endpoint.register(routes));
    Unrouted.register(routing, routes);
    Answers.registerErrors(routing);
    return routes;
  }

  @Override
  public void close() {
    jupyter.close();
    logs.close();
  }
}
