package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `/api/kernelspecs` and the files that come with them.
@ExtendWith(LeakDetector.class)
final class SpecRoutesTest {
  private static final byte[] LOGO = {(byte) 0x89, 'P', 'N', 'G'};

  private TestServer server;
  private Path specs;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer();
    specs = server.home.path().resolve("jupyter/kernels");
    Specs.ipykernel(specs.resolve("stock"));
    Files.write(specs.resolve("stock/logo-64x64.png"), LOGO);
    Files.writeString(specs.resolve("secret.png"), "not yours");
    Files.createSymbolicLink(specs.resolve("stock/link.png"), specs.resolve("secret.png"));
    Specs.ipykernel(specs.resolve("python3"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void husksOwnKernelIsPython3AndOthersGoByTheirNames() {
    var body = server.get("/api/kernelspecs").body();
    assertEquals("python3", body.path("default").asString());
    var own = body.path("kernelspecs").path("python3");
    assertEquals("Python 3 (Husk)", own.path("spec").path("display_name").asString());
    assertEquals("python", own.path("spec").path("language").asString());
    assertTrue(own.path("spec").path("argv").isArray());
    var stock = body.path("kernelspecs").path("stock");
    assertEquals("stock", stock.path("name").asString());
    assertEquals("Stock", stock.path("spec").path("display_name").asString());
    assertEquals(
        "/kernelspecs/stock/logo-64x64.png", stock.path("resources").path("logo-64x64").asString());
    assertTrue(!body.toString().contains("hidden"), "a kernelspec's environment is shown");
  }

  @Test
  void oneKernelspecIsFoundByItsName() {
    for (var name : List.of("python3", "python", "husk")) {
      var spec = server.get("/api/kernelspecs/" + name).body();
      assertEquals("Python 3 (Husk)", spec.path("spec").path("display_name").asString());
    }
    assertEquals("stock", server.get("/api/kernelspecs/stock").body().path("name").asString());
    assertEquals(404, server.get("/api/kernelspecs/nothing").status());
    assertEquals(404, server.get("/api/kernelspecs/..%2F..%2Fetc").status());
  }

  @Test
  void logosAreServed() {
    var logo = server.get("/kernelspecs/stock/logo-64x64.png");
    assertEquals(200, logo.status());
    assertEquals("image/png", logo.response().headers().firstValue("content-type").orElse(""));
    assertArrayEquals(LOGO, logo.response().body());
    var own =
        server.get("/api/kernelspecs/python3").body().path("resources").path("logo-svg").asString();
    assertEquals(200, server.get(own).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stock/kernel.json",
        "stock/..%2Fsecret.png",
        "stock/%2e%2e%2fsecret.png",
        "stock/..",
        "stock/.",
        "stock/link.png",
        "stock/%2Fetc%2Fpasswd",
        "stock/missing.png",
        "stock/%00.png",
        "..%2F/secret.png",
        "python3/package-info.class",
        "python3/..%2Fjupyter%2Flogo-svg.svg",
        "nothing/logo-64x64.png"
      })
  void nothingElseIs(String path) {
    var answer = server.get("/kernelspecs/" + path);
    assertEquals(404, answer.status(), path);
  }

  @Test
  void brokenKernelspecsAreLeftOut() throws IOException {
    Files.createDirectories(specs.resolve("broken"));
    Files.writeString(specs.resolve("broken/kernel.json"), "{");
    Specs.write(specs.resolve("empty"), Map.of());
    var found = server.get("/api/kernelspecs").body().path("kernelspecs");
    assertTrue(found.path("broken").isMissingNode());
    assertTrue(found.path("empty").isMissingNode());
  }
}
