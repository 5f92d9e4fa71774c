package husk.api.jupyter;

import husk.kernels.KernelSpec;
import java.util.List;
import java.util.Map;

/// A kernelspec as Jupyter's clients see it.
///
/// @param resources where its logos are, by their names without an ending
record SpecModel(String name, Spec spec, Map<String, String> resources) {

  /// What its `kernel.json` says.
  record Spec(
      List<String> argv,
      Map<String, String> env,
      String displayName,
      String language,
      String interruptMode,
      Map<String, Object> metadata) {}

  static SpecModel own() {
    var spec =
        new Spec(
            List.of(), Map.of(), "Python 3 (Husk)", "python", "signal", Map.of("debugger", false));
    return new SpecModel(SpecNames.OWN, spec, SpecResources.urls(SpecNames.OWN, SpecResources.OWN));
  }

  /// Its environment stays here: it may hold secrets, and no client needs it.
  static SpecModel of(KernelSpec spec) {
    return new SpecModel(
        spec.name(),
        new Spec(
            spec.argv(),
            Map.of(),
            spec.displayName(),
            spec.language(),
            spec.interruptMode(),
            Map.of()),
        SpecResources.urls(spec.name(), SpecResources.in(spec)));
  }
}
