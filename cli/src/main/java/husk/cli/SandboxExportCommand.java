package husk.cli;

import husk.cli.tar.FolderArchive;
import husk.cli.tar.HoledFile;
import husk.cli.tar.Piped;
import husk.cli.tar.TarReader;
import husk.cli.tar.TarWriter;
import husk.local.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes the files of a sandbox to one archive.
final class SandboxExportCommand implements Command {
  @Override
  public String name() {
    return "sandbox export";
  }

  @Override
  public String summary() {
    return "Write a sandbox's workspace and home to a tar archive";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("output", "FILE", "Default SANDBOX.tar; `-` for standard output")
          .as("o")
          .completing(Option.FILES)
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var sandboxes = new Sandboxes(terminal);
    var found = sandboxes.find(arguments.requireOperand(0));
    var sandbox = found.running() ? sandboxes.use(found.name()) : found;
    String given = arguments.find("output").orElse(sandbox.name() + ".tar");
    try {
      if (given.equals("-")) {
        write(sandbox, terminal.out());
        return ExitCodes.SUCCESS;
      }
      long bytes = toFile(sandbox, Path.of(Creation.absolute(given, terminal)));
      terminal.print(
          arguments.has("json")
              ? new JsonText().text("file", given).number("bytes", bytes) + "\n"
              : "Exported " + megabytes(bytes) + " MB to " + given + "\n");
      return ExitCodes.SUCCESS;
    } catch (FileSystemException e) {
      throw FileProblems.of(e);
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
  }

  /// In place only once it is whole.
  private static long toFile(SandboxHandle sandbox, Path file) throws IOException {
    var folder = file.getParent();
    var whole = Files.createTempFile(folder == null ? Path.of("/") : folder, ".husk-", ".part");
    try {
      try (var out = HoledFile.open(whole, StandardOpenOption.WRITE)) {
        write(sandbox, out);
      }
      Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
      return Files.size(file);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private static void write(SandboxHandle sandbox, OutputStream out) throws IOException {
    var tar = new TarWriter(out);
    for (var root : sources(sandbox).entrySet()) {
      try (var in = Piped.of(root.getValue())) {
        new Reroot(new TarReader(in), tar).under(root.getKey());
      }
    }
    tar.finish();
  }

  /// The archive of each folder: told by the agent, or read from where a stopped sandbox keeps it.
  private static Map<String, Piped.Source> sources(SandboxHandle sandbox) throws IOException {
    var sources = new LinkedHashMap<String, Piped.Source>();
    if (sandbox.running()) {
      var files = sandbox.agent().files();
      SandboxRoots.of(sandbox)
          .forEach((name, inside) -> sources.put(name, packed -> files.pack(inside, packed)));
    } else {
      StoppedFiles.of(sandbox)
          .forEach((name, folder) -> sources.put(name, FolderArchive.ofWhatCanBe(folder)));
    }
    return sources;
  }

  private static String megabytes(long bytes) {
    long tenths = Math.round(bytes / 1_000_000.0 * 10);
    return tenths / 10 + "." + tenths % 10;
  }
}
