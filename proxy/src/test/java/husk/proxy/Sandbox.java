package husk.proxy;

import husk.testkit.TempHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/// What stands for a sandbox in these tests: a proxy with a policy, names that resolve as the test
/// says, and the events it gave.
final class Sandbox implements AutoCloseable {
  private final TempHome home;
  private final AtomicReference<EgressPolicy> policy;
  private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
  private final List<EgressEvent> events = new CopyOnWriteArrayList<>();
  private final EgressProxy proxy;

  private Sandbox(EgressPolicy policy, Limits limits) throws IOException {
    this.home = TempHome.create();
    this.policy = new AtomicReference<>(policy);
    var special = SpecialAddresses.ofThisMachine();
    var gate = new Gate(this.policy::get, this::resolve, special, "demo");
    this.proxy = EgressProxy.open(socket(), gate, events::add, limits);
  }

  static Sandbox allowing(String... rules) throws IOException {
    return with(policy(rules));
  }

  static Sandbox with(EgressPolicy policy) throws IOException {
    return new Sandbox(policy, Limits.USUAL);
  }

  static Sandbox with(EgressPolicy policy, Limits limits) throws IOException {
    return new Sandbox(policy, limits);
  }

  static EgressPolicy policy(String... rules) {
    return new EgressPolicy(false, rules(rules), List.of());
  }

  static List<EgressRule> rules(String... rules) {
    return List.of(rules).stream().map(EgressRule::parse).toList();
  }

  Sandbox name(String name, String... addresses) {
    names.put(name, List.of(addresses).stream().map(InetAddress::ofLiteral).toList());
    return this;
  }

  private List<InetAddress> resolve(String name) throws UnknownHostException {
    var found = names.get(name);
    if (found == null) {
      throw new UnknownHostException("the test knows no such name");
    }
    return found;
  }

  void policy(EgressPolicy next) {
    policy.set(next);
  }

  EgressProxy proxy() {
    return proxy;
  }

  Path socket() {
    return home.resolve("egress.sock");
  }

  List<EgressEvent> events() {
    return events;
  }

  EgressEvent lastEvent() {
    return events.getLast();
  }

  Client client() throws IOException {
    return Client.introduced(socket());
  }

  /// Sends a request and reads until the proxy closes.
  String exchange(String request) throws IOException {
    try (var client = client()) {
      client.send(request);
      return client.readAll();
    }
  }

  @Override
  public void close() throws IOException {
    proxy.close();
    home.close();
  }
}
