package husk.core;

import husk.kernels.ProcFs;
import husk.model.KernelProcess;

/// This very process, as others find it in the registry.
final class Self {
  static final KernelProcess PROCESS = find();

  private Self() {}

  private static KernelProcess find() {
    long pid = ProcessHandle.current().pid();
    return new KernelProcess(pid, ProcFs.stat(pid).map(ProcFs.Stat::startTime).orElse(0L));
  }
}
