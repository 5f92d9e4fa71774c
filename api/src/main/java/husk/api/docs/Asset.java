package husk.api.docs;

import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Properties;

/// A file that comes with Husk, served with what a browser needs to keep it.
final class Asset {
  private final String type;
  private final byte[] bytes;

  /// Names its very content.
  private final String tag;

  private Asset(String type, byte[] bytes, String tag) {
    this.type = type;
    this.bytes = bytes;
    this.tag = tag;
  }

  /// A file of Husk's own.
  static Asset own(String name, String type) {
    return of(read("/husk/api/docs/" + name), type);
  }

  /// A file of a web jar, whatever its version.
  static Asset ofWebJar(String jar, String name, String type) {
    return of(read("/META-INF/resources/webjars/" + jar + "/" + version(jar) + "/" + name), type);
  }

  private static Asset of(byte[] bytes, String type) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Asset(type, bytes, '"' + HexFormat.of().formatHex(digest, 0, 16) + '"');
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String version(String jar) {
    var properties = new Properties();
    try {
      properties.load(
          new java.io.StringReader(
              new String(
                  read("/META-INF/maven/org.webjars/" + jar + "/pom.properties"),
                  StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return String.valueOf(properties.getProperty("version"));
  }

  private static byte[] read(String resource) {
    try (var in = Asset.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new Problem(
            Problem.Code.INTERNAL,
            "this installation lacks `" + resource + "`",
            "install Husk again; `/openapi.json` has the same in another form");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// The same with `from` replaced.
  Asset replacing(String from, String to) {
    return of(text().replace(from, to).getBytes(StandardCharsets.UTF_8), type);
  }

  void send(ServerRequest request, ServerResponse response) {
    response.header(HeaderNames.ETAG, tag);
    response.header(HeaderNames.CACHE_CONTROL, "private, max-age=3600");
    response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    if (request.headers().first(HeaderNames.IF_NONE_MATCH).filter(tag::equals).isPresent()) {
      response.status(Status.NOT_MODIFIED_304).send();
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, type);
    response.send(bytes);
  }
}
