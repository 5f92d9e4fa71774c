package husk.core;

import husk.kernels.PrivateFiles;
import husk.kernels.ProcFs;
import husk.kernels.ProcessTree;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.sandboxes.Backends;
import husk.sandboxes.SandboxNotes;
import husk.sandboxes.SandboxRequest;
import husk.store.Registry;
import husk.store.Rescue;
import husk.store.SandboxRegistry;
import husk.wire.Json;
import java.nio.file.Path;
import java.util.Optional;

/// Makes a lost registry anew from what is noted of kernels and sandboxes beside it. What cannot be
/// known again is ended rather than left to run where nobody sees it.
final class Rebuild implements Rescue {
  private final Places places;
  private final KernelNotes kernels;
  private final SandboxNotes sandboxes;

  Rebuild(Places places, KernelNotes kernels) {
    this.places = places;
    this.kernels = kernels;
    this.sandboxes = new SandboxNotes(places.sandboxes());
  }

  /// Whoever chose another file may have chosen one that is not Husk's.
  @Override
  public boolean owns(Path file) {
    return file.equals(places.home().resolve("registry.db").toAbsolutePath())
        || kernels.ids().stream().flatMap(id -> kernels.read(id).stream()).anyMatch(kernels::ours)
        || sandboxes.all().findAny().isPresent();
  }

  @Override
  public void rebuild(Registry empty, Optional<Path> damaged) {
    var report = new RebuildReport(places, damaged);
    sandboxes.all().forEach(empty.sandboxes()::insert);
    kernels.ids().forEach(id -> kernel(id, empty, report));
    empty.sandboxes().list().stream()
        .filter(row -> !row.labels().containsKey(SandboxRequest.KERNEL_LABEL))
        .forEach(row -> row.name().ifPresent(report::foundSandbox));
    // Without a loss there is nothing that could have been lost.
    if (report.speaksOfALoss()) {
      sandboxes.unreadable().forEach(id -> endSandbox(id, report));
      report.tell();
    }
  }

  private void kernel(String id, Registry empty, RebuildReport report) {
    var note = kernels.read(id);
    if (note.isEmpty()) {
      if (kernels.exists(id)) {
        report.ended("kernel " + id + ", of which nothing could be read");
        end(id, Optional.empty(), empty);
      }
    } else if (kernels.ours(note.get())) {
      known(note.get().record(), empty, report);
    }
  }

  private void known(KernelRecord record, Registry empty, RebuildReport report) {
    var launch = kernels.launch(record.kernelId()).filter(Rebuild::understood);
    var shown = record.name().orElse(record.kernelId());
    if (launch.isEmpty() || !housed(launch.get(), record, empty)) {
      report.ended("kernel " + shown + ", of which too little could be read");
      end(record.kernelId(), record.process(), empty);
      return;
    }
    var holder = empty.claim(record, launch.get(), Integer.MAX_VALUE);
    if (holder.kernelId().equals(record.kernelId())) {
      report.foundKernel(shown);
    }
  }

  private static boolean understood(String launchJson) {
    try {
      return !Json.read(launchJson, StoredLaunch.class).language().isEmpty();
    } catch (RuntimeException senseless) {
      return false;
    }
  }

  /// One that lives in a sandbox of its own has to have it; a dead one gets another.
  private static boolean housed(String launchJson, KernelRecord record, Registry empty) {
    return record.process().filter(ProcFs::alive).isEmpty()
        || Json.read(launchJson, StoredLaunch.class)
            .home()
            .filter(KernelHome::own)
            .map(home -> empty.sandboxes().find(home.sandbox()).isPresent())
            .orElse(true);
  }

  private void end(String kernelId, Optional<KernelProcess> process, Registry empty) {
    var known = process.filter(ProcFs::alive);
    if (known.isEmpty()) {
      Stray.askToEnd(places.connectionFile(kernelId));
    }
    ProcessTree.kill(known.orElse(Kernels.NOBODY), kernelId);
    PrivateFiles.delete(places.connectionFile(kernelId));
    PrivateFiles.delete(places.kernel(kernelId));
    giveUpHome(kernelId, empty.sandboxes());
  }

  /// What has no name is removed by whoever opens the sandboxes.
  private static void giveUpHome(String kernelId, SandboxRegistry rows) {
    rows.find(KernelHomes.name(kernelId))
        .filter(row -> kernelId.equals(row.labels().get(SandboxRequest.KERNEL_LABEL)))
        .filter(row -> rows.remove(row.id()))
        .ifPresent(row -> rows.insert(row.withoutName()));
  }

  private void endSandbox(String id, RebuildReport report) {
    report.ended("sandbox " + id + ", whose files stay in " + sandboxes.files(id));
    sandboxes.end(id, Backends.installed());
  }
}
