package husk.sandboxes;

import husk.model.ContactedHost;
import husk.proxy.EgressEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The places that a sandbox wants to reach while this is open, each once, in the order they came.
public final class EgressWatch implements AutoCloseable {
  private static final int MOST = 500;

  private final Consumer<EgressWatch> leave;
  // Both are guarded by this.
  private final Set<ContactedHost> hosts = new LinkedHashSet<>();
  private boolean more;

  EgressWatch(Consumer<EgressWatch> leave) {
    this.leave = leave;
  }

  synchronized void told(EgressEvent event) {
    if (event.host().isEmpty()) {
      return; // It was not understood far enough.
    }
    if (hosts.size() < MOST) {
      hosts.add(new ContactedHost(event.host(), event.port(), event.allowed()));
    } else {
      more = true;
    }
  }

  public synchronized List<ContactedHost> hosts() {
    return List.copyOf(hosts);
  }

  /// Whether there were more than are listed.
  public synchronized boolean more() {
    return more;
  }

  @Override
  public void close() {
    leave.accept(this);
  }
}
