package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.Problem;
import husk.spi.SandboxFiles;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// `/sandboxes/{name}/fs`: a sandbox's files, of any size in constant memory, with the sandbox's
/// own eyes and rights.
public final class FilesEndpoint implements Endpoint {
  private final Service core;

  public FilesEndpoint(Service core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/sandboxes/{name}/fs/content", this::read)
        .put("/sandboxes/{name}/fs/content", this::write)
        .get("/sandboxes/{name}/fs/tar", this::pack)
        .put("/sandboxes/{name}/fs/tar", this::unpack)
        .get("/sandboxes/{name}/fs/entry", this::stat)
        .delete("/sandboxes/{name}/fs/entry", this::remove)
        .get("/sandboxes/{name}/fs/entries", this::list)
        .post("/sandboxes/{name}/fs/directories", this::makeDirectory)
        .post("/sandboxes/{name}/fs/move", this::move);
  }

  private SandboxFiles files(ServerRequest request) {
    return Inside.of(core, request).files();
  }

  /// The path in a query; one that names nothing that could exist is refused.
  private static String path(ServerRequest request) {
    return sound(text(request).orElseThrow());
  }

  private static java.util.Optional<String> text(ServerRequest request) {
    return Requests.query(request, SandboxParameters.PATH).map(JsonNode::stringValue);
  }

  private static String sound(String path) {
    if (!path.startsWith("/") || path.indexOf('\0') >= 0 || path.length() > 4096) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + path.replace('\0', '?').substring(0, Math.min(path.length(), 200)) + "` is no path",
          "give it as it is inside, from `/` on");
    }
    return path;
  }

  private void read(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    send(
        response,
        "application/octet-stream",
        out -> {
          try (var in = files.read(path)) {
            in.transferTo(out);
          }
        });
  }

  private void pack(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    send(response, "application/x-tar", out -> files.pack(path, out));
  }

  /// Writes the body of an answer.
  private interface Content {
    void writeTo(Outgoing out) throws IOException;
  }

  private static void send(ServerResponse response, String type, Content content) {
    var out = new Outgoing(response);
    response.header(HeaderNames.CONTENT_TYPE, type);
    try {
      content.writeTo(out);
      out.close();
    } catch (CallerGone gone) {
      // Nobody is left to be told.
    } catch (IOException e) {
      throw failed(out, Inside.lost(e));
    } catch (Problem problem) {
      throw failed(out, problem);
    }
  }

  /// Half of a file must not look like the whole of it.
  private static RuntimeException failed(Outgoing out, Problem problem) {
    return out.withdraw() ? problem : out.breakOff(problem);
  }

  private void write(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    int mode = Modes.parse(Requests.query(request, SandboxParameters.MODE));
    var body = new Received(request);
    body.pass(in -> files.write(path, mode, in));
    Answers.json(request, response, Map.of("bytes", body.bytes()));
  }

  private void unpack(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    var body = new Received(request);
    body.pass(in -> files.unpack(path, in));
    Answers.json(request, response, Map.of("bytes", body.bytes()));
  }

  private void stat(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    Answers.json(request, response, FileView.of(Inside.ask(() -> files.stat(path)), path));
  }

  private void list(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    List<Map<String, Object>> entries =
        Inside.ask(() -> files.list(path)).stream().map(entry -> FileView.of(entry, "")).toList();
    Answers.json(request, response, Map.of("entries", entries));
  }

  private void makeDirectory(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var body = Requests.body(request, CommandForms.DIRECTORY);
    var path = sound(body.path());
    change(() -> files.makeDirectory(path, body.parents().orElse(true)));
    Answers.json(request, response, Map.of("path", path));
  }

  private void remove(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var path = path(request);
    boolean recursive = Requests.flag(request, SandboxParameters.RECURSIVE);
    change(() -> files.remove(path, recursive));
    Answers.json(request, response, Map.of("removed", true));
  }

  private void move(ServerRequest request, ServerResponse response) {
    var files = files(request);
    var body = Requests.body(request, CommandForms.MOVE);
    var to = sound(body.to());
    var from = sound(body.from());
    change(() -> files.move(from, to));
    Answers.json(request, response, Map.of("path", to));
  }

  private static void change(Inputs.Word word) {
    Inside.ask(
        () -> {
          word.say();
          return "";
        });
  }
}
