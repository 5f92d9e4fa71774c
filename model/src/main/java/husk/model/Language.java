package husk.model;

/// What a piece of code is written in.
public enum Language {
  /// The kernel's own language, Python for most.
  PYTHON,
  /// Bash, in the kernel's persistent shell.
  BASH;

  /// Reads a caller's word for it; the kernel's shell answers to several.
  public static Language of(String word) {
    return switch (word) {
      case "python", "py" -> PYTHON;
      case "bash", "sh", "shell" -> BASH;
      default ->
          throw new Problem(
              Problem.Code.LANGUAGE_UNSUPPORTED,
              "language `" + word + "` is not supported",
              "use `python` (the kernel's own language) or `bash`");
    };
  }

  public String wireName() {
    return this == BASH ? "bash" : "python";
  }
}
