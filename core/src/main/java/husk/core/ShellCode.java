package husk.core;

import husk.kernels.Cell;
import husk.kernels.KernelClient;
import husk.kernels.OutputLimits;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.Language;
import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

/// Turns shell commands into cells of the kernel's persistent shell.
///
/// Husk's own kernel has the shell built in. Into other Python kernels its one source file is
/// brought before the first command. Kernels of other languages have none, and that is refused.
final class ShellCode {
  private final Path source;

  ShellCode(Path guest) {
    this.source = guest.resolve("husk_guest").resolve("bash.py");
  }

  String of(ExecuteRequest request, StoredLaunch stored) {
    if (request.language() != Language.BASH || !stored.python()) {
      return request.code();
    }
    // IPython refuses a cell magic without a body; an empty line is one.
    var body = request.code().isEmpty() ? "\n" : request.code();
    return (request.oneShot() ? "%%husk_bash_once\n" : "%%husk_bash\n") + body;
  }

  void load(ExecuteRequest request, StoredLaunch stored, LiveKernel kernel, KernelClient client) {
    if (request.language() != Language.BASH || stored.language().equals("bash")) {
      return;
    }
    if (!stored.python()) {
      throw new Problem(
          Problem.Code.LANGUAGE_UNSUPPORTED,
          "bash cannot run in a kernel of the language `" + stored.language() + "`",
          "use a Python kernel, such as Husk's own, for shell commands");
    }
    if (!stored.own() && !kernel.shellLoaded) {
      bringIn(client);
      kernel.shellLoaded = true;
    }
  }

  private void bringIn(KernelClient client) {
    var content = Json.MAPPER.createObjectNode();
    content.put("code", loader());
    content.put("silent", true);
    content.put("store_history", false);
    content.put("allow_stdin", false);
    var cell = new Cell("shell", OutputLimits.of(2000), ExecutionEvent.Listener.NONE);
    try {
      client.converse(client.request("execute_request", content), cell);
      if (!cell.awaitEnd(Duration.ofSeconds(30)) || !cell.replyStatus().equals("ok")) {
        throw new Problem(
            Problem.Code.LANGUAGE_UNSUPPORTED, "the kernel did not take Husk's shell in");
      }
    } catch (IOException e) {
      throw new Problem(Problem.Code.KERNEL_UNRESPONSIVE, "the kernel is gone: " + e).causedBy(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(Problem.Code.KERNEL_UNRESPONSIVE, "interrupted");
    }
  }

  private String loader() {
    try {
      var encoded = Base64.getEncoder().encodeToString(Files.readAllBytes(source));
      return """
      def _husk_load():
          import base64, sys, types
          module = types.ModuleType("husk_bash")
          sys.modules["husk_bash"] = module
          source = base64.b64decode("%s")
          exec(compile(source, "husk_bash.py", "exec"), module.__dict__)
          module.load(get_ipython())
      _husk_load(); del _husk_load
      """
          .formatted(encoded);
    } catch (IOException e) {
      throw new Problem(Problem.Code.INTERNAL, "Husk's guest code is missing: " + e).causedBy(e);
    }
  }
}
