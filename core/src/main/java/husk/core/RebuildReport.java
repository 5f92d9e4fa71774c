package husk.core;

import husk.kernels.PrivateFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What became of a registry that was lost: for the log, and for whoever calls next.
final class RebuildReport {
  private static final System.Logger LOG = System.getLogger("husk.core");

  private final Places places;
  private final Optional<Path> damaged;
  private final List<String> kernels = new ArrayList<>();
  private final List<String> sandboxes = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();

  RebuildReport(Places places, Optional<Path> damaged) {
    this.places = places;
    this.damaged = damaged;
  }

  void foundKernel(String name) {
    kernels.add(name);
  }

  void foundSandbox(String name) {
    sandboxes.add(name);
  }

  void ended(String what) {
    ended.add(what);
  }

  /// A registry that is merely new has lost nothing.
  boolean speaksOfALoss() {
    return damaged.isPresent() || !(kernels.isEmpty() && sandboxes.isEmpty() && ended.isEmpty());
  }

  void tell() {
    LOG.log(System.Logger.Level.WARNING, text());
    try {
      PrivateFiles.write(places.notice(), text() + "\n");
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot leave a notice: " + e);
    }
  }

  private String text() {
    var what =
        damaged
            .map(
                aside ->
                    "was damaged, and is now "
                        + aside
                        + " (it may hold values of variables: delete it when you do not need it)")
            .orElse("was empty or missing");
    var text = new StringBuilder("the registry " + places.registry() + " " + what);
    text.append("; it was made anew, without the results of earlier executions. Kernels found: ");
    text.append(list(kernels)).append(". Sandboxes found: ").append(list(sandboxes)).append('.');
    if (!ended.isEmpty()) {
      text.append(" Ended: ").append(list(ended)).append('.');
    }
    return text.toString();
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }
}
