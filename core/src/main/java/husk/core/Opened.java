package husk.core;

import husk.spi.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What whoever serves over TCP has opened to callers there, beyond what the server gives by
/// itself. Each of it may give a caller the server's account, or much of it.
///
/// @param hostBackend kernels and sandboxes without walls
/// @param mounts folders of the server below which callers may mount what they like
/// @param profiles that callers may ask for
/// @param python any interpreter of the server
/// @param privateNetwork rules for addresses that are not public
/// @param publish ports of the server's loopback that callers choose
public record Opened(
    boolean hostBackend,
    List<Path> mounts,
    Set<Profile> profiles,
    boolean python,
    boolean privateNetwork,
    boolean publish) {

  public static final Opened NOTHING = new Opened(false, List.of(), Set.of(), false, false, false);

  public Opened {
    mounts = List.copyOf(mounts);
    profiles = Set.copyOf(profiles);
  }
}
