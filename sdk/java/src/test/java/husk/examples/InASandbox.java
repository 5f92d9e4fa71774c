package husk.examples;

import husk.Husk;
import husk.Sandbox;
import husk.SandboxOptions;
import husk.spi.CommandSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Commands and files in a sandbox.
public final class InASandbox {
  private InASandbox() {}

  public static void run(Husk husk, PrintStream out) throws IOException {
    // @start region="sandbox"
    try (Sandbox sandbox = husk.sandboxes().create(SandboxOptions.unnamed())) {
      var result = sandbox.exec("python3", "-c", "print(6 * 7)");
      out.println(result.exitCode() + " " + result.stdout().strip()); // 0 42

      sandbox.exec(CommandSpec.of("tee", "note.txt"), "kept");
      try (var contents = sandbox.files().read("/workspace/note.txt")) {
        out.println(new String(contents.readAllBytes(), StandardCharsets.UTF_8)); // kept
      }
    } // It has no name: closed, it is gone with its files.
    // @end
  }

  public static void restricted(Husk husk, PrintStream out) {
    // @start region="options"
    SandboxOptions options =
        SandboxOptions.named("untrusted")
            .profile("restrictive")
            .limit("memory_mb", 128)
            .env("STAGE", "test")
            .label("task", "eda");
    Sandbox sandbox = husk.sandboxes().create(options);
    out.println(sandbox.info().spec().limits().memoryMb()); // 128
    sandbox.remove();
    // @end
  }

  public static void streamed(Sandbox sandbox, PrintStream out) {
    // @start region="streaming"
    var count =
        CommandSpec.of("sh", "-c", "for i in 1 2 3; do echo $NAME $i; done; exit 3")
            .withEnv(Map.of("NAME", "step"))
            .within(10_000);
    var end =
        sandbox.stream(
            count, piece -> out.print(new String(piece.bytes(), StandardCharsets.UTF_8)));
    out.println(end.exitCode()); // 3
    // @end
  }

  public static void talking(Sandbox sandbox, PrintStream out) throws IOException {
    // @start region="talking"
    try (var calculator = sandbox.begin(CommandSpec.of("python3", "-iq").withInput())) {
      var line = "print(6 * 7)\nexit()\n".getBytes(StandardCharsets.UTF_8);
      calculator.input(line, 0, line.length);
      while (calculator.next() instanceof husk.spi.CommandEvent.Output piece) {
        if (!piece.error()) {
          out.print(new String(piece.bytes(), StandardCharsets.UTF_8)); // 42
        }
      }
    }
    // @end
  }
}
