package husk.core;

import husk.model.KernelRecord;
import husk.model.Problem;
import husk.spi.Tenancy;
import husk.store.Registry;
import java.util.List;
import java.util.Optional;

/// Puts a fork in the place of the kernel it came from: under its id, its name and its connection
/// file, in its sandbox, with the fork's variables and files.
final class Promotion {
  private final Registry registry;
  private final Kernels kernels;
  private final Succession succession;
  private final Copies copies;
  private final KernelFiles files;

  Promotion(Registry registry, Kernels kernels, Copies copies, KernelFiles files) {
    this.registry = registry;
    this.kernels = kernels;
    this.succession = new Succession(registry, kernels);
    this.copies = copies;
    this.files = files;
  }

  /// What `original` was is gone; `winner` lives on beside it until it is destroyed.
  KernelRecord promote(KernelRecord original, KernelRecord winner) {
    requireRelated(original, winner);
    var live = kernels.live(original.kernelId());
    var winnersTurn = kernels.live(winner.kernelId()).turn;
    winnersTurn.lock();
    live.lifecycle.lock();
    try {
      return replace(original, winner);
    } finally {
      live.lifecycle.unlock();
      winnersTurn.unlock();
    }
  }

  /// Only within a family can a kernel move from one sandbox into another.
  private void requireRelated(KernelRecord original, KernelRecord winner) {
    var from = kernels.launch(winner.kernelId());
    if (!from.interpreter().equals(kernels.launch(original.kernelId()).interpreter())
        || !ancestors(winner).contains(original.kernelId())) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "kernel `" + Copies.shown(winner) + "` is no fork of `" + Copies.shown(original) + "`",
          "`husk list --tree` shows which kernel came from which");
    }
  }

  private List<String> ancestors(KernelRecord record) {
    var found = new java.util.ArrayList<String>();
    var from = kernels.launch(record.kernelId()).forkedFrom();
    while (from.isPresent() && found.size() < 1000) {
      found.add(from.get());
      from = registry.find(from.get()).flatMap(row -> kernels.launch(row.kernelId()).forkedFrom());
    }
    return found;
  }

  private KernelRecord replace(KernelRecord original, KernelRecord winner) {
    var target = kernels.launch(original.kernelId());
    var source = kernels.launch(winner.kernelId());
    var snapshot = copies.take(winner, true);
    try {
      boolean withFiles = files.keep(source, snapshot.id());
      Runnable takeFilesAlong =
          withFiles ? () -> files.fill(source, snapshot.id(), target) : () -> {};
      return succession.replace(
          original,
          () ->
              kernels.startCopy(
                  target, house(original, target), snapshot.id(), false, takeFilesAlong));
    } finally {
      copies.drop(winner.kernelId(), snapshot.id());
      files.drop(source, snapshot.id());
    }
  }

  private Optional<Tenancy> house(KernelRecord original, StoredLaunch target) {
    return target
        .home()
        .map(
            home ->
                kernels.homes().enter(original.kernelId(), home, target.interpreter(), List.of()));
  }
}
