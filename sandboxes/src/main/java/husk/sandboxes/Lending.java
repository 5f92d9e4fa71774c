package husk.sandboxes;

import java.util.List;

/// What of the host a request asks for, for those who decide whether it may.
public final class Lending {
  private Lending() {}

  /// The sources of its mounts, as they are written; what is no mount is refused.
  public static List<String> sources(SandboxRequest request) {
    return request.mounts().stream().map(MountWords::sourceOf).toList();
  }

  /// The ports of the host that it chooses itself; what is no port is refused.
  public static List<Integer> chosenPorts(SandboxRequest request) {
    return request.ports().stream()
        .map(text -> PortWords.parse(text).host())
        .filter(port -> port != 0)
        .toList();
  }
}
