package husk.cli;

/// The options that commands about live state share.
final class LiveOptions {
  static final Option PROCEED =
      Option.flag("proceed", "Copy it although threads, connections or processes would be missing");

  private LiveOptions() {}
}
