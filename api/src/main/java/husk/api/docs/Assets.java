package husk.api.docs;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The files of the two pages: these and no others are served, each read when it is first asked
/// for.
final class Assets {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String SWAGGER = "swagger-ui";
  private static final String REDOC = "redoc";

  /// The one picture that ReDoc would load from elsewhere, and a transparent one in its place.
  private static final String FOREIGN_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

  private static final String NO_LOGO = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";

  private static final Map<String, Supplier<Asset>> KNOWN =
      Map.of(
          "/docs/swagger-ui.css",
          () -> Asset.ofWebJar(SWAGGER, "swagger-ui.css", STYLE),
          "/docs/swagger-ui-bundle.js",
          () -> Asset.ofWebJar(SWAGGER, "swagger-ui-bundle.js", SCRIPT),
          "/docs/favicon-32x32.png",
          () -> Asset.ofWebJar(SWAGGER, "favicon-32x32.png", "image/png"),
          "/docs/start.js",
          () -> Asset.own("swagger.js", SCRIPT),
          "/docs/page.css",
          () -> Asset.own("page.css", STYLE),
          "/redoc/redoc.standalone.js",
          () ->
              Asset.ofWebJar(REDOC, "redoc.standalone.js", SCRIPT).replacing(FOREIGN_LOGO, NO_LOGO),
          "/redoc/start.js",
          () -> Asset.own("redoc.js", SCRIPT));

  private final Map<String, Asset> loaded = new ConcurrentHashMap<>();

  Optional<Asset> find(String path) {
    return Optional.ofNullable(KNOWN.get(path))
        .map(load -> loaded.computeIfAbsent(path, _ -> load.get()));
  }
}
