package husk.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Turns a name into addresses. It is asked once for each request, and the connection goes to an
/// address of that answer: there is no second question that could be answered differently.
@FunctionalInterface
public interface Resolver {

  /// Answers within seconds, one way or the other.
  List<InetAddress> resolve(String name) throws UnknownHostException, InterruptedException;

  /// The one of this machine.
  static Resolver system() {
    return new SystemResolver();
  }
}
