package husk.api.jupyter;

import husk.core.Service;
import husk.model.KernelRecord;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// A kernel as Jupyter's clients see it.
///
/// @param id with dashes
/// @param name a kernelspec's
/// @param executionState `starting`, `idle`, `busy` or `dead`
/// @param connections how many WebSockets it has
record KernelModel(
    String id, String name, String lastActivity, String executionState, int connections) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  static KernelModel of(KernelRecord record, Service core, JupyterState state) {
    return new KernelModel(
        KernelIds.dashed(record.kernelId()),
        SpecNames.shown(record.kernel()),
        time(core.lastActivity(record)),
        record.status().wireName(),
        state.connections(record.kernelId()));
  }

  static String time(Instant instant) {
    return TIME.format(instant);
  }
}
