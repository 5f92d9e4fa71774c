package husk.api.listen;

import husk.api.accept.Door;
import husk.api.observe.Tracing;
import husk.model.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// One open TCP listener.
final class Listener {
  private static final Duration FOLLOWERS_LEAVE = Duration.ofSeconds(3);

  final String id = Ids.fresh().substring(0, 12);
  final ListenerSpec spec;
  final AccessLog accessLog;
  private final Instant since = Instant.now();
  private final Traffic traffic;
  private final Tracing tracing;
  private final Door door;
  private final int port;
  private final CountDownLatch closed = new CountDownLatch(1);

  Listener(
      ListenerSpec spec,
      Traffic traffic,
      AccessLog accessLog,
      Tracing tracing,
      Door door,
      int port) {
    this.spec = spec;
    this.traffic = traffic;
    this.accessLog = accessLog;
    this.tracing = tracing;
    this.door = door;
    this.port = port;
  }

  int port() {
    return port;
  }

  Map<String, Object> describe() {
    var view = new LinkedHashMap<String, Object>();
    view.put("id", id);
    view.put("url", url());
    view.put("host", spec.host());
    view.put("port", port());
    view.put("api_key_required", !spec.keys().none());
    view.put("opened", OpenedWords.of(spec.opened()));
    spec.tls().ifPresent(tls -> view.put("tls_fingerprint", tls.fingerprint()));
    view.put("since", since);
    view.put("requests", traffic.inside());
    return view;
  }

  private String url() {
    var host = spec.host().contains(":") ? "[" + spec.host() + "]" : spec.host();
    return (spec.tls().isPresent() ? "https://" : "http://") + host + ":" + port();
  }

  /// Lets nobody else in, waits for requests that run, and closes.
  ///
  /// @return whether all of them were answered
  boolean close(Duration drain) {
    boolean drained = traffic.drain(drain);
    door.close();
    tracing.close();
    closed.countDown();
    accessLog.awaitNobody(FOLLOWERS_LEAVE);
    return drained;
  }

  CountDownLatch closed() {
    return closed;
  }
}
