package husk.cli.tar;

/// One entry of an archive.
///
/// @param name as it is written there
/// @param mode its permissions
/// @param size of the contents that follow; 0 for all but files
/// @param modified in seconds since 1970
/// @param target of a link; empty for anything else
public record TarEntry(String name, Kind kind, int mode, long size, long modified, String target) {

  /// What it is.
  public enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK,
    HARD_LINK,
    /// A device, a pipe, or what no archive of ours would hold.
    OTHER
  }

  /// The same under another name.
  public TarEntry named(String name) {
    return new TarEntry(name, kind, mode, size, modified, target);
  }
}
