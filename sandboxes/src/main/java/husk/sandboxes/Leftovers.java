package husk.sandboxes;

import husk.spi.Profile;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Files of sandboxes that no registry knows of any more: it was replaced, or a machine went down
/// between two steps. Those that live, or were touched within a day, may be of somebody whose
/// registry is not this one.
final class Leftovers {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final Duration LONG_AGO = Duration.ofDays(1);
  private static final SandboxProcess NOBODY = new SandboxProcess(0, 0);

  private final SandboxRegistry registry;
  private final Backends backends;
  private final SandboxPlaces places;

  Leftovers(SandboxRegistry registry, Backends backends, SandboxPlaces places) {
    this.registry = registry;
    this.backends = backends;
    this.places = places;
  }

  /// Removes them; returns whose they were.
  List<String> remove() {
    // In this order: whoever makes a sandbox is in the registry before there are files.
    var found = new TreeSet<String>();
    Stream.of(places.files(), places.sockets()).forEach(folder -> found.addAll(ids(folder)));
    found.removeAll(registry.list().stream().map(SandboxRow::id).collect(Collectors.toSet()));
    found.removeIf(id -> isUsed(places.of(id)));
    found.forEach(this::remove);
    return List.copyOf(found);
  }

  private static boolean isUsed(SandboxPlace place) {
    var touched = Instant.now().minus(LONG_AGO);
    return InnerPort.answers(place.agentSocket())
        || Stream.of(place.files(), place.sockets())
            .flatMap(folder -> Stream.concat(Stream.of(folder), children(folder).stream()))
            .anyMatch(path -> modified(path).isAfter(touched));
  }

  private static Instant modified(Path path) {
    try {
      return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
    } catch (IOException gone) {
      return Instant.EPOCH;
    }
  }

  private void remove(String id) {
    var place = places.of(id);
    end(place, backends);
    Trees.remove(place.sockets());
    Trees.remove(place.files());
  }

  /// Ends what runs in a sandbox of which nothing else is known.
  static void end(SandboxPlace place, Backends backends) {
    for (var backend : backends.all()) {
      // It looks for a process that cannot be, and removes what is left on the way.
      backend.find(SandboxSpec.of(backend.name(), Profile.PERMISSIVE), place, NOBODY);
    }
  }

  private static List<String> ids(Path folder) {
    return children(folder).stream()
        .map(path -> String.valueOf(path.getFileName()))
        .filter(ID.asMatchPredicate())
        .toList();
  }

  private static List<Path> children(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var found = Files.list(folder)) {
      return found.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
