package husk.cli;

import husk.local.Frames;
import husk.local.JsonText;
import java.io.IOException;
import java.util.Map;

/// Installs what Python kernels need, showing its progress.
final class SetupCommand implements Command {
  @Override
  public String name() {
    return "setup";
  }

  @Override
  public String summary() {
    return "Install what Python kernels need";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("python", "PYTHON", "The interpreter to use").completing(Option.FILES)
    };
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    var body = new JsonText();
    var python = arguments.find("python");
    if (python.isPresent()) {
      body.text("python", Creation.interpreter(python.get(), terminal));
    }
    var daemon = new Daemon(terminal);
    boolean json = json(arguments);
    try (var connection = daemon.door().connectOrStart()) {
      var answer =
          connection.request(
              "POST", "/setup", Map.of("Accept", Frames.MEDIA_TYPE), daemon.withCaller(body));
      return new Progress(terminal, json).show(answer);
    } catch (IOException e) {
      throw Daemon.lost(e);
    }
  }
}
