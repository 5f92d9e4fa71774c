package husk.spi;

import java.util.Map;

/// What holds a running sandbox's limits, by the limit's name: `cgroup v1`, `cgroup v2`, `rlimit`,
/// `tmpfs`, `watched`, or `none` where the profile's wish cannot be held on this machine.
public record Enforcement(Map<String, String> by) {
  public Enforcement {
    by = Map.copyOf(by);
  }
}
