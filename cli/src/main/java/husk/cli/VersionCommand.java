package husk.cli;

import husk.local.JsonText;
import husk.local.Version;

/// Says which Husk this is.
final class VersionCommand implements Command {
  @Override
  public String name() {
    return "version";
  }

  @Override
  public String summary() {
    return "Print the version";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    terminal.print(
        json(arguments)
            ? "{\n  \"version\": " + JsonText.quoted(Version.NUMBER) + "\n}\n"
            : "husk " + Version.NUMBER + "\n");
    return ExitCodes.SUCCESS;
  }
}
