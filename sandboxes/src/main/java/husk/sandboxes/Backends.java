package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// The backends that this program was put together with.
public final class Backends {
  private final List<Backend> known;

  public Backends(List<Backend> known) {
    this.known = List.copyOf(known);
  }

  /// Those on the class path.
  public static Backends installed() {
    var found = new ArrayList<Backend>();
    ServiceLoader.load(Backend.class).forEach(found::add);
    return new Backends(found);
  }

  public List<Backend> all() {
    return known;
  }

  Backend of(String name) {
    return known.stream()
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.INVALID_SETTING,
                    "there is no backend `" + name + "`",
                    "use one of: " + String.join(", ", names())));
  }

  private List<String> names() {
    return known.stream().map(Backend::name).sorted().toList();
  }
}
