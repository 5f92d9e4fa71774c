package husk.core;

import husk.model.KernelProcess;
import husk.spi.ProcessStat;

/// This very process, as others find it in the registry.
final class Self {
  static final KernelProcess PROCESS = find();

  private Self() {}

  private static KernelProcess find() {
    long pid = ProcessHandle.current().pid();
    return new KernelProcess(pid, ProcessStat.of(pid).map(ProcessStat::startTime).orElse(0L));
  }
}
