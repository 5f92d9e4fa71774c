package husk.api.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Kernels as a tree: each fork below the kernel it came from, with lines between them. A fork
/// whose origin is gone stands for itself.
final class KernelTree {
  private final List<KernelView> kernels;
  private final List<List<String>> rows = new ArrayList<>();

  KernelTree(List<KernelView> kernels) {
    this.kernels = List.copyOf(kernels);
  }

  /// The rows of a table, those who came first above those who came from them.
  List<List<String>> rows() {
    var ids = kernels.stream().map(KernelView::kernelId).collect(Collectors.toSet());
    kernels.stream()
        .filter(kernel -> kernel.forkedFrom().filter(ids::contains).isEmpty())
        .forEach(root -> add(root, "", ""));
    return List.copyOf(rows);
  }

  /// @param branch the lines before its own name
  /// @param below those before the names of its forks
  private void add(KernelView kernel, String branch, String below) {
    var row = new ArrayList<>(kernel.row());
    row.set(0, branch + row.getFirst());
    rows.add(List.copyOf(row));
    var forks = kernels.stream().filter(other -> isFork(other, kernel)).toList();
    for (int i = 0; i < forks.size(); i++) {
      boolean last = i == forks.size() - 1;
      add(forks.get(i), below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "));
    }
  }

  private static boolean isFork(KernelView kernel, KernelView of) {
    return kernel.forkedFrom().filter(of.kernelId()::equals).isPresent();
  }
}
