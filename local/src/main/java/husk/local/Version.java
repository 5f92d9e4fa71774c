package husk.local;

/// Which Husk this is.
public final class Version {
  /// The version of the build; a test holds it to that of the root `pom.xml`.
  public static final String NUMBER = "0.1.0";

  private Version() {}
}
