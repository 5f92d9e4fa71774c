package husk.cli;

/// One side of a copy: `sandbox:/path`, a path of the host, or `-` for a standard stream.
///
/// @param sandbox whose path it is; empty for the host
/// @param path as it was written
record SandboxPath(String sandbox, String path) {

  /// What stands before the first colon is a sandbox, unless it looks like a path.
  static SandboxPath of(String text) {
    int colon = text.indexOf(':');
    boolean inside =
        colon > 0
            && text.charAt(0) != '/'
            && text.charAt(0) != '.'
            && text.lastIndexOf('/', colon) < 0;
    return inside
        ? new SandboxPath(text.substring(0, colon), text.substring(colon + 1))
        : new SandboxPath("", text);
  }

  boolean inside() {
    return !sandbox.isEmpty();
  }

  boolean isStream() {
    return !inside() && path.equals("-");
  }

  /// A relative path inside begins at the workspace.
  SandboxPath from(String workspace) {
    return path.startsWith("/") ? this : new SandboxPath(sandbox, workspace + "/" + path);
  }

  /// The last step; empty for one that means the contents of a folder, such as `a/.` or `/`.
  String lastName() {
    String trimmed = path;
    while (trimmed.endsWith("/")) {
      trimmed = trimmed.substring(0, trimmed.length() - 1);
    }
    String last = trimmed.substring(trimmed.lastIndexOf('/') + 1);
    return last.equals(".") || last.equals("..") ? "" : last;
  }

  boolean endsAsFolder() {
    return path.isEmpty() || path.endsWith("/") || path.endsWith("/.");
  }

  SandboxPath child(String name) {
    return name.isEmpty()
        ? this
        : new SandboxPath(sandbox, path.endsWith("/") ? path + name : path + "/" + name);
  }

  @Override
  public String toString() {
    return inside() ? sandbox + ":" + path : path;
  }
}
