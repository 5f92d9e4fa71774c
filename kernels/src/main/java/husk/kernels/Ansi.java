package husk.kernels;

import java.util.regex.Pattern;

/// Removes the escape sequences with which programs colour text and move cursors.
public final class Ansi {
  // Control sequences; operating system commands; two-character escapes; and one cut off at the
  // end.
  private static final Pattern SEQUENCE =
      Pattern.compile(
          "\u001b\\[[0-?]*[ -/]*[@-~]"
              + "|\u001b\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)"
              + "|\u001b[@-Z\\\\^_]"
              + "|\u001b(?:\\[[0-?]*[ -/]*|\\][^\u0007\u001b]*)?$");

  private Ansi() {}

  public static String strip(String text) {
    return text.indexOf('\u001b') < 0 ? text : SEQUENCE.matcher(text).replaceAll("");
  }
}
