package husk.proxy;

import husk.testkit.TempHome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A TLS server with a certificate of its own for `good.example`, and what a client needs to trust
/// it.
final class TlsServer {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private TlsServer() {}

  static SSLContext context(TempHome home) throws Exception {
    var file = home.resolve("keys.p12");
    makeKey(file);
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return context(keys);
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private static void makeKey(Path file) throws IOException, InterruptedException {
    var keytool = Path.of(System.getProperty("java.home", ""), "bin", "keytool");
    var process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-keystore",
                file.toString(),
                "-storepass",
                "changeit",
                "-dname",
                "CN=good.example",
                "-ext",
                "san=dns:good.example,dns:other.example,ip:127.0.0.1",
                "-validity",
                "2")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed");
    }
  }

  static Upstream echoing(SSLContext context) throws IOException {
    var server =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    return Upstream.on(
        server, socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
  }
}
