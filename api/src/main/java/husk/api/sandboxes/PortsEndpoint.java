package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.local.Frames;
import husk.model.Ids;
import husk.model.Problem;
import husk.spi.Forward;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/// `/sandboxes/{name}/ports/{port}`: a connection to a port inside. What comes out of it is the
/// answer, in frames; what goes in comes with further requests.
public final class PortsEndpoint implements Endpoint {
  private static final int PORT = 3;
  private static final int ID = 4;
  private static final int PIECE = 64 << 10;

  private final Service core;
  private final Lines<Forward> lines = new Lines<>("connection");

  public PortsEndpoint(Service core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules
        .post("/sandboxes/{name}/ports/{port}", this::connect)
        .post("/sandboxes/{name}/ports/{port}/{id}", this::input);
  }

  private void connect(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    int port = port(Routes.segment(request.path(), PORT));
    try (var line = Inside.ask(() -> sandbox.forward(port))) {
      var out = new Outgoing(response);
      response.header(HeaderNames.CONTENT_TYPE, Frames.MEDIA_TYPE);
      var sink = new FrameSink(out);
      var id = Ids.fresh();
      try (var _ = lines.hold(Answers.name(request), id, line);
          var _ = Pulse.start(sink::pulse, line::close)) {
        sink.started(id);
        relay(line, sink);
        out.close();
      } catch (CallerGone gone) {
        // The connection inside is closed with this one.
      }
    }
  }

  private static void relay(Forward line, FrameSink sink) {
    var piece = new byte[PIECE];
    try {
      for (int read = line.input().read(piece); read >= 0; read = line.input().read(piece)) {
        sink.output(false, Arrays.copyOf(piece, read));
      }
      sink.over();
    } catch (Problem problem) {
      sink.problem(problem);
    } catch (IOException e) {
      sink.problem(Inside.lost(e));
    }
  }

  private static int port(String text) {
    if (text.matches("[0-9]{1,5}")
        && Integer.parseInt(text) >= 1
        && Integer.parseInt(text) < 65536) {
      return Integer.parseInt(text);
    }
    throw new Problem(
        Problem.Code.INVALID_REQUEST, "`" + text + "` is no port", "use a number from 1 to 65535");
  }

  private void input(ServerRequest request, ServerResponse response) {
    var name = Answers.name(request);
    core.sandboxes().require(name);
    var line = lines.require(name, Routes.segment(request.path(), ID));
    boolean end = Requests.flag(request, SandboxParameters.END);
    long bytes = Inputs.pass(request, line.output()::write);
    if (end) {
      Inputs.tell(line::endOutput);
    }
    Answers.json(request, response, Map.of("bytes", bytes));
  }
}
