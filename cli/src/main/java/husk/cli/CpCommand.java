package husk.cli;

import husk.local.JsonText;
import java.io.IOException;
import java.nio.file.FileSystemException;

/// Copies files and folders into a sandbox and out of it.
final class CpCommand implements Command {
  private final String name;

  CpCommand(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return "Copy a file or folder to or from a sandbox: SANDBOX:PATH on one side";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public String[] operands() {
    return new String[] {"SOURCE", "TARGET"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var from = SandboxPath.of(arguments.requireOperand(0));
    var to = SandboxPath.of(arguments.requireOperand(1));
    if (from.inside() && to.inside()) {
      throw arguments.usage(
          "Cannot copy between sandboxes: copy to this machine first, then from it");
    }
    if (!from.inside() && !to.inside()) {
      throw arguments.usage(
          "At least one path must be a sandbox path, written as SANDBOX:/path/inside");
    }
    var sandbox = new Sandboxes(terminal).use(from.inside() ? from.sandbox() : to.sandbox());
    var files = sandbox.agent().files();
    String workspace = sandbox.workspace();
    long bytes;
    try {
      bytes =
          from.inside()
              ? new CopyOut(files, terminal).copy(from.from(workspace), to)
              : new CopyIn(files, terminal).copy(from, to.from(workspace));
    } catch (FileSystemException e) {
      throw FileProblems.of(e);
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
    if (!to.isStream()) {
      terminal.print(report(arguments.has("json"), bytes, from, to));
    }
    return ExitCodes.SUCCESS;
  }

  private static String report(boolean json, long bytes, SandboxPath from, SandboxPath to) {
    if (json) {
      var report = new JsonText().number("bytes", bytes).text("from", from.toString());
      return report.text("to", to.toString()) + "\n";
    }
    return "Copied " + bytes + " bytes from " + from + " to " + to + "\n";
  }
}
