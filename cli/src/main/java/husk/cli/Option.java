package husk.cli;

/// One option of a command.
///
/// @param name as in `--name`
/// @param alias the letter of its short form, or an empty string
/// @param value what its value is called in help texts; empty for a flag
/// @param repeatable whether it may be given more than once
/// @param completes what a shell offers for its value: words, or one of the marks below
/// @param help one line
record Option(
    String name, String alias, String value, boolean repeatable, String completes, String help) {
  /// Marks for [#completes]: the names of kernels, files, folders.
  static final String KERNELS = "@kernels";

  /// The names of sandboxes.
  static final String SANDBOXES = "@sandboxes";

  static final String FILES = "@files";
  static final String FOLDERS = "@folders";

  static Option flag(String name, String help) {
    return new Option(name, "", "", false, "", help);
  }

  static Option of(String name, String value, String help) {
    return new Option(name, "", value, false, "", help);
  }

  Option as(String letter) {
    return new Option(name, letter, value, repeatable, completes, help);
  }

  Option repeated() {
    return new Option(name, alias, value, true, completes, help);
  }

  Option completing(String words) {
    return new Option(name, alias, value, repeatable, words, help);
  }

  boolean isFlag() {
    return value.isEmpty();
  }

  String spelled() {
    return "--" + name;
  }

  boolean matches(String word) {
    if (word.startsWith("--")) {
      return word.length() == name.length() + 2 && word.endsWith(name);
    }
    return !alias.isEmpty() && word.length() == 2 && word.startsWith("-") && word.endsWith(alias);
  }
}
