package husk.cli;

import husk.cli.tar.Piped;
import husk.cli.tar.TarReader;
import husk.cli.tar.TarWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// Makes a sandbox with the files of an export.
final class SandboxImportCommand implements Command {
  @Override
  public String name() {
    return "sandbox import";
  }

  @Override
  public String summary() {
    return "Make a sandbox with the files of `sandbox export`";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return SandboxOptions.and(Option.of("as", "NAME", "What the new sandbox is called"));
  }

  @Override
  public String[] operands() {
    return new String[] {"FILE"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var file = Path.of(Creation.absolute(arguments.requireOperand(0), terminal));
    String name = arguments.has("branch") ? GitBranch.sandbox(terminal) : arguments.require("as");
    var body = SandboxOptions.write(arguments, terminal).text("name", name);
    body.number("ttl_seconds", Durations.seconds(arguments, "ttl", "0"));
    body.number("temporary_seconds", 0).flag("started", true);
    try (var _ = Files.newByteChannel(file)) {
      var sandboxes = new Sandboxes(terminal);
      var sandbox = sandboxes.create(body);
      fill(sandboxes, sandbox, file);
      terminal.print(arguments.has("json") ? sandbox.json() : "Sandbox '" + name + "' imported.\n");
      return ExitCodes.SUCCESS;
    } catch (FileSystemException e) {
      throw FileProblems.of(e);
    } catch (IOException e) {
      throw Sandboxes.lost(name, e);
    }
  }

  /// All or nothing.
  private static void fill(Sandboxes sandboxes, SandboxHandle sandbox, Path file)
      throws IOException {
    try {
      var roots = SandboxRoots.of(sandbox);
      for (var root : roots.entrySet()) {
        try (var in =
            Piped.of(
                out -> {
                  try (var archive = new BufferedInputStream(Files.newInputStream(file))) {
                    var tar = new TarWriter(out);
                    new Reroot(new TarReader(archive), tar)
                        .outOf(root.getKey(), Set.of("workspace", "home"));
                    tar.finish();
                  }
                })) {
          sandbox.agent().files().unpack(root.getValue(), in);
        }
      }
    } catch (IOException | RuntimeException e) {
      sandboxes.discard(sandbox.name());
      throw e;
    }
  }
}
