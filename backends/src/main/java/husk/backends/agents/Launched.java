package husk.backends.agents;

import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.regex.Pattern;

/// What the agent's launcher wrote down of a sandbox behind walls, with the numbers of the host.
///
/// @param first the sandbox's first process; 0 while it is not known, as all of these
/// @param family the first process of its family: with it, everything in the family ends
/// @param launcher what stays outside of a running sandbox, and ends after it
public record Launched(long first, long family, long launcher) {
  private static final Pattern FIRST = Pattern.compile("\"child-pid\"\\s*:\\s*(\\d+)");
  private static final Pattern FAMILY = Pattern.compile("\"family\"\\s*:\\s*(\\d+)");
  private static final Pattern LAUNCHER = Pattern.compile("\"launcher\"\\s*:\\s*(\\d+)");

  public static Launched of(SandboxPlace place) {
    try {
      var said = Files.readString(place.info(), StandardCharsets.US_ASCII);
      return new Launched(number(FIRST, said), number(FAMILY, said), number(LAUNCHER, said));
    } catch (IOException none) {
      return new Launched(0, 0, 0);
    }
  }

  private static long number(Pattern pattern, String text) {
    var found = pattern.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }
}
